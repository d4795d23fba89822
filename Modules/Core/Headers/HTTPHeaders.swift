/// Header fields in order, with unique case-insensitive names.
///
/// ```swift
/// let headers: HTTPHeaders = [.accept("application/json"), .authorization(bearerToken: token)]
/// ```
public struct HTTPHeaders: Equatable, Hashable, Sendable {
    /// The number of fields up to which a name is found by comparison. For more, an index is built.
    static let scanLimit = 32

    private var headers: [HTTPHeader] = []

    /// No fields.
    public init() {}

    /// Creates fields in the order of `headers`. Of fields with the same name, the last value takes the first's
    /// position.
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

    /// Creates the fields of `dictionary` in the order of their names, so that equal dictionaries result in equal
    /// requests.
    public init(_ dictionary: [String: String]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { HTTPHeader(name: $0.key, value: $0.value) })
    }

    /// Creates fields whose names are known to be unique.
    init(unique headers: [HTTPHeader]) { self.headers = headers }

    /// Sets a field in place of one with the same name, or appends it.
    public mutating func add(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Sets a field in place of one with the same name, or appends it.
    public mutating func add(_ header: HTTPHeader) { update(header) }

    /// Sets a field in place of one with the same name, or appends it.
    public mutating func update(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Sets a field in place of one with the same name, or appends it.
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

    /// Sorts the fields by name, ignoring case.
    public mutating func sort() { headers.sort { $0.name.lowercased() < $1.name.lowercased() } }

    /// Returns the fields sorted by name, ignoring case.
    public func sorted() -> HTTPHeaders {
        var copy = self
        copy.sort()
        return copy
    }

    /// Returns the value of the field with this name, ignoring case.
    public func value(for name: String) -> String? { index(of: name).map { headers[$0].value } }

    /// The value of the field with this name, ignoring case. Setting `nil` removes the field.
    public subscript(_ name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue { update(name: name, value: newValue) } else { remove(name: name) }
        }
    }

    /// The fields as an unordered dictionary.
    public var dictionary: [String: String] {
        Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
    }

    private func index(of name: String) -> Int? {
        headers.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { HTTPHeader(name: $0.0, value: $0.1) })
    }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
    /// Creates fields in the order of the literal.
    public init(arrayLiteral elements: HTTPHeader...) { self.init(elements) }
}

extension HTTPHeaders: Sequence {
    /// Returns an iterator over the fields in their order.
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
    /// The fields, one per line. The values of secret fields are redacted.
    public var description: String { headers.map(\.description).joined(separator: "\n") }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
