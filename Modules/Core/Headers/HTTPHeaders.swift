/// Header fields in order, each name once, whatever its case.
///
/// ```swift
/// let headers: HTTPHeaders = [.accept("application/json"), .authorization(bearerToken: token)]
/// ```
public struct HTTPHeaders: Equatable, Hashable, Sendable {
    /// Up to this many fields a name is searched for by comparing; of more, an index is made.
    static let scanLimit = 32

    private var headers: [HTTPHeader] = []

    /// No fields.
    public init() {}

    /// The fields of `headers` in their order; of those with the same name, the last value at the first's place.
    public init(_ headers: [HTTPHeader]) {
        self.headers.reserveCapacity(headers.count)
        guard headers.count > Self.scanLimit else {
            for header in headers { update(header) }
            return
        }
        var places: [String: Int] = [:]
        for header in headers {
            let name = header.name.asciiLowercased
            if let place = places[name] {
                self.headers[place] = header
            } else {
                places[name] = self.headers.count
                self.headers.append(header)
            }
        }
    }

    /// The fields of `dictionary`, in the order of their names, so that the same dictionary always gives the same
    /// request.
    public init(_ dictionary: [String: String]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { HTTPHeader(name: $0.key, value: $0.value) })
    }

    /// Fields whose names are known to differ.
    init(unique headers: [HTTPHeader]) { self.headers = headers }

    /// Sets a field, in the place of one with the same name or else at the end.
    public mutating func add(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Sets a field, in the place of one with the same name or else at the end.
    public mutating func add(_ header: HTTPHeader) { update(header) }

    /// Sets a field, in the place of one with the same name or else at the end.
    public mutating func update(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Sets a field, in the place of one with the same name or else at the end.
    public mutating func update(_ header: HTTPHeader) {
        guard let index = index(of: header.name) else {
            headers.append(header)
            return
        }
        headers[index] = header
    }

    /// Removes the field with this name, if there is one.
    public mutating func remove(name: String) {
        guard let index = index(of: name) else { return }
        headers.remove(at: index)
    }

    /// Sorts the fields by their names, case aside.
    public mutating func sort() { headers.sort { $0.name.lowercased() < $1.name.lowercased() } }

    /// The fields sorted by their names, case aside.
    public func sorted() -> HTTPHeaders {
        var copy = self
        copy.sort()
        return copy
    }

    /// The value of the field with this name, in any case.
    public func value(for name: String) -> String? { index(of: name).map { headers[$0].value } }

    /// The value of the field with this name, in any case. Setting `nil` removes the field.
    public subscript(_ name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue { update(name: name, value: newValue) } else { remove(name: name) }
        }
    }

    /// The fields as a dictionary, their order lost.
    public var dictionary: [String: String] {
        Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
    }

    private func index(of name: String) -> Int? {
        headers.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HTTPHeader(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
    /// The fields in the order of the literal.
    public init(arrayLiteral elements: HTTPHeader...) { self.init(elements) }
}

extension HTTPHeaders: Sequence {
    /// Goes through the fields in their order.
    public func makeIterator() -> IndexingIterator<[HTTPHeader]> { headers.makeIterator() }
}

extension HTTPHeaders: Collection {
    /// The position of the first field.
    public var startIndex: Int { headers.startIndex }
    /// The position after the last field.
    public var endIndex: Int { headers.endIndex }
    /// The field at `position`.
    public subscript(position: Int) -> HTTPHeader { headers[position] }
    /// The position after `i`.
    public func index(after i: Int) -> Int { headers.index(after: i) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible {
    /// One field a line; the values of secret fields are hidden.
    public var description: String { headers.map(\.description).joined(separator: "\n") }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
