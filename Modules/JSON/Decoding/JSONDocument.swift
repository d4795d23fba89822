internal import FoundationEssentials

/// A parsed document and the decoding of its values.
///
/// A class, because decoders and containers share it. It is confined to one decoding.
final class JSONDocument {
    /// The text, and zeros after it.
    let bytes: [UInt8]
    let nodes: [JSONNode]
    let options: FastJSONDecoder
    let usesKeysAsTheyAre: Bool
    /// The members by key of large objects, and of all objects if a strategy converts keys. Indexed by the object's
    /// node.
    var indexes: [Int: [String: Int]] = [:]
    /// The types of objects and arrays that were found not to be a ``JSONCollection``: finding out is a cast, 260
    /// instructions for each object.
    private var structures = RecentTypes()
    /// The keyed containers, each with the node of its object. No method of theirs calls foreign code.
    @exclusivity(unchecked) private(set) var containers = ReusedContainers<Int>()
    /// Whether the decoding has ended. After that, containers are not kept: a kept container and the document would
    /// retain each other.
    private var isClosed = false
    /// The place of each value, computed for the first error or coding path.
    private var places: [JSONPlace]?
    /// The keys in coding paths, by their nodes.
    private var pathKeys: [Int: JSONKey] = [:]
    /// Whether a type has seen keys with integer values, which the document's own keys do not have.
    var hasIntegerKeys = false
    /// Whether the document has to be left to `JSONDecoder`.
    private(set) var hasGivenUp = false

    /// Parses `data`; `nil` if it is not plain, valid JSON, or for settings that are left to `JSONDecoder`.
    init?(_ data: Data, options: FastJSONDecoder) {
        switch options.keyDecodingStrategy {
        case .useDefaultKeys: usesKeysAsTheyAre = true
        case .convertFromSnakeCase: usesKeysAsTheyAre = false
        // The closure receives coding paths.
        case .custom: return nil
        @unknown default: return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + JSONScanner.padding)
        data.withUnsafeBytes { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: repeatElement(0, count: JSONScanner.padding))
        self.bytes = bytes
        guard let nodes = JSONScanner.nodes(of: bytes) else { return nil }
        self.nodes = nodes
        self.options = options
    }

    /// Records that the document has to be left to `JSONDecoder`.
    func giveUp() { hasGivenUp = true }

    // MARK: Containers

    /// Returns a container of an object's members.
    func container<Key: CodingKey>(keyedBy type: Key.Type, at node: Int) throws -> KeyedDecodingContainer<Key> {
        guard nodes[node].kind == .object else { throw mismatch([String: Any].self, node) }
        // The static type: the value of `type` may be a subclass of `Key`.
        if !isClosed, let box = containers.reuse(keyedBy: ObjectIdentifier(Key.self), at: node) {
            return KeyedDecodingContainer(box: box)
        }
        return newContainer(at: node)
    }

    private func newContainer<Key: CodingKey>(at node: Int) -> KeyedDecodingContainer<Key> {
        guard !isClosed, ContainerBox.isWholeOfDecodingContainer, let slot = containers.freeSlot() else {
            return KeyedDecodingContainer(JSONKeyedContainer<Key>(document: self, place: .fixed(node)))
        }
        let container = KeyedDecodingContainer(JSONKeyedContainer<Key>(document: self, place: .slot(slot)))
        containers.keep(container.box, in: slot, keyedBy: ObjectIdentifier(Key.self), at: node)
        return container
    }

    /// Ends the decoding: releases the containers, which have references to the document.
    func close() {
        isClosed = true
        containers.releaseAll()
    }

    // MARK: Scalars

    /// Returns the text of a string node.
    func string(_ index: Int) -> String {
        let node = nodes[index]
        let content = Int(node.start)..<Int(node.end)
        guard node.kind != .escapedString else { return unescaped(bytes[content]) }
        return bytes.withUnsafeBufferPointer { bytes in
            // The scanner has validated the text.
            let text = UnsafeBufferPointer(rebasing: bytes[content])
            return String(copying: UTF8Span(unchecked: text.span, isKnownASCII: node.kind == .plainString))
        }
    }

    private func unescaped(_ content: ArraySlice<UInt8>) -> String {
        let bytes = bytes
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var rest = content
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            text.append(contentsOf: rest[..<backslash])
            if let character = JSONEscape.character(bytes[backslash + 1]) {
                text.append(character)
                rest = rest[(backslash + 2)...]
            } else {
                let unit = JSONEscape.unit(bytes.span, at: backslash + 2) ?? 0xFFFD
                text.append(contentsOf: String(Unicode.Scalar(unit).map(Character.init) ?? "\u{FFFD}").utf8)
                rest = rest[(backslash + 6)...]
            }
        }
        text.append(contentsOf: rest)
        return String(decoding: text, as: UTF8.self)
    }

    func decodeString(at index: Int) throws -> String {
        guard nodes[index].isString else { throw mismatch(String.self, index) }
        return string(index)
    }

    func decodeBool(at index: Int) throws -> Bool {
        switch nodes[index].kind {
        case .true: true
        case .false: false
        default: throw mismatch(Bool.self, index)
        }
    }

    func decodeInteger<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        let node = nodes[index]
        if let short = JSONNumber.short(bytes, node), short.isPositive || Value.isSigned {
            guard let value = Value(exactly: short.value) else { throw unrepresentable(index) }
            return value
        }
        guard node.isNumber else { throw mismatch(type, index) }
        return try decodeRareInteger(type, at: index)
    }

    /// Decodes an integer from a number of many digits, or with a fraction or an exponent.
    private func decodeRareInteger<Value: FixedWidthInteger & Decodable>(
        _ type: Value.Type,
        at index: Int
    ) throws -> Value {
        let number = JSONNumber(bytes, nodes[index])
        guard number.isPlainInteger, !number.isNegative || Value.isSigned else {
            if number.isPlainInteger, number.mantissa > 0 { throw unrepresentable(index) }
            if let double = double(number, index), double != double.rounded() { throw unrepresentable(index) }
            return try foundation(type, index)
        }
        let value = number.isNegative ? Value(exactly: -Int128(number.mantissa)) : Value(exactly: number.mantissa)
        guard let value else { throw unrepresentable(index) }
        return value
    }

    func decodeDouble(at index: Int) throws -> Double {
        guard nodes[index].isNumber else { return try decodeNonConforming(Double.self, index) }
        return try double(JSONNumber(bytes, nodes[index]), index) ?? foundation(Double.self, index)
    }

    /// Returns the value of a number; `nil` at the ends of the range, where Foundation decides what is an error.
    private func double(_ number: JSONNumber, _ index: Int) -> Double? {
        if let double = number.double { return double }
        let node = nodes[index]
        let text = String(decoding: bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
        return Double(text).flatMap { $0.isNormal ? $0 : nil }
    }

    func decodeFloat(at index: Int) throws -> Float {
        guard nodes[index].isNumber else { return try decodeNonConforming(Float.self, index) }
        return try JSONNumber(bytes, nodes[index]).float ?? foundation(Float.self, index)
    }

    private func decodeNonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, _ index: Int) throws -> Value {
        guard nodes[index].isString else { throw mismatch(type, index) }
        let strategy = options.nonConformingFloatDecodingStrategy
        guard case .convertFromString(let positive, let negative, let nan) = strategy else {
            throw mismatch(type, index)
        }
        switch string(index) {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, index)
        }
    }

    // MARK: Anything

    /// Decodes the value of a node.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        // Types are compared by address, because a cast takes 260 instructions.
        let identifier = ObjectIdentifier(type)
        if SpecialTypes.shared.contains(identifier) || !usesKeysAsTheyAre { return try decodeSpecial(type, at: index) }
        if nodes[index].isContainer, !structures.contains(identifier) {
            if let collection = type as? any JSONCollection.Type { return try decode(collection, at: index) }
            structures.append(identifier)
        }
        return try Value(from: JSONNodeDecoder(document: self, node: index))
    }

    private func decode<Value>(_ collection: any JSONCollection.Type, at index: Int) throws -> Value {
        guard let value = try collection.decode(from: self, at: index) as? Value else {
            throw mismatch(Value.self, index)
        }
        return value
    }

    /// The types that `JSONDecoder` decodes in its own way.
    private func decodeSpecial<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        if type == [String].self { return try same(elements(of: index) { try decodeString(at: $0) }) }
        if type == [Int].self { return try same(elements(of: index) { try decodeInteger(Int.self, at: $0) }) }
        if type == [Double].self { return try same(elements(of: index) { try decodeDouble(at: $0) }) }
        let special: Any? =
            if type == Date.self {
                try decodeDate(at: index)
            } else if type == Data.self {
                try decodeData(at: index)
            } else if type == URL.self {
                nodes[index].isString ? URL(string: string(index)) : nil
            } else if type == Decimal.self {
                try foundation(Decimal.self, index)
            } else if let collection = type as? any JSONCollection.Type {
                try collection.decode(from: self, at: index)
            } else {
                try Value(from: JSONNodeDecoder(document: self, node: index))
            }
        guard let value = special as? Value else { throw mismatch(type, index) }
        return value
    }

    /// Returns an array as a value of a type that was found to be the array's: a cast would take 300 instructions.
    private func same<Element, Value>(_ array: [Element]) -> Value {
        precondition(Value.self == [Element].self)
        return unsafeBitCast(array, to: Value.self)
    }

    /// Decodes an array whose elements need no container.
    private func elements<Element>(of index: Int, _ decode: (Int) throws -> Element) throws -> [Element] {
        guard nodes[index].kind == .array else { throw mismatch([Element].self, index) }
        var elements: [Element] = []
        elements.reserveCapacity(Int(nodes[index].end))
        let end = Int(nodes[index].next)
        var element = index + 1
        while element < end {
            elements.append(try decode(element))
            element = Int(nodes[element].next)
        }
        return elements
    }

    private func decodeDate(at index: Int) throws -> Date {
        switch options.dateDecodingStrategy {
        case .deferredToDate: return try Date(from: JSONNodeDecoder(document: self, node: index))
        case .secondsSince1970: return Date(timeIntervalSince1970: try decodeDouble(at: index))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try decodeDouble(at: index) / 1000)
        // On Linux, `formatted` is a custom strategy too.
        case .custom(let decode): return try decode(JSONNodeDecoder(document: self, node: index))
        case .iso8601:
            let text = try decodeString(at: index)
            guard let date = try? Date.ISO8601FormatStyle().parse(text) else { throw mismatch(Date.self, index) }
            return date
        @unknown default: return try foundation(Date.self, index)
        }
    }

    private func decodeData(at index: Int) throws -> Data {
        switch options.dataDecodingStrategy {
        case .deferredToData: return try Data(from: JSONNodeDecoder(document: self, node: index))
        case .custom(let decode): return try decode(JSONNodeDecoder(document: self, node: index))
        case .base64:
            guard let data = Data(base64Encoded: try decodeString(at: index)) else { throw mismatch(Data.self, index) }
            return data
        @unknown default: return try foundation(Data.self, index)
        }
    }

    /// Decodes the node's text with Foundation's decoder: for rare kinds of numbers.
    private func foundation<Value: Decodable>(_ type: Value.Type, _ index: Int) throws -> Value {
        let node = nodes[index]
        guard node.isNumber else { throw mismatch(type, index) }
        return try JSONDecoder().decode(type, from: Data(bytes[Int(node.start)..<Int(node.end)]))
    }

    // MARK: Errors

    /// Returns the error of a value of another type. Users see Foundation's instead, unless a type catches it in its
    /// `init(from:)`.
    func mismatch(_ type: any Any.Type, _ index: Int) -> DecodingError {
        // The description is a constant: a type that tries several kinds catches an error for each value.
        let context = DecodingError.Context(codingPath: path(to: index), debugDescription: nodes[index].kind.mismatch)
        return nodes[index].kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// Returns the error of a number that its type cannot represent.
    private func unrepresentable(_ index: Int) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path(to: index),
            debugDescription: "The number does not fit into the type."
        )
        return .dataCorrupted(context)
    }

    /// Returns the coding path of a value to a type that reads it.
    ///
    /// `JSONDecoder`'s path consists of the types' keys, this one of the document's. Their strings are equal unless a
    /// strategy converts keys. Where a difference can be seen, the document is left to `JSONDecoder`.
    func codingPath(of index: Int) -> [any CodingKey] {
        if hasIntegerKeys || !usesKeysAsTheyAre { giveUp() }
        return path(to: index)
    }

    /// Returns the keys from the document's root to a value.
    ///
    /// Types that try several kinds cause an error for each value. A search from the root for each would be quadratic,
    /// so the first call records the place of every value.
    func path(to target: Int) -> [any CodingKey] {
        let places = placesOfAllValues()
        var path: [any CodingKey] = []
        var node = target
        while node > 0 {
            let place = places[node]
            let container = Int(place.container)
            path.append(
                nodes[container].kind == .object ? key(node - 1) : JSONKey(intValue: Int(place.position)))
            node = container
        }
        path.reverse()
        return path
    }

    /// Returns the key at a node. All paths share its text, which may be long.
    private func key(_ node: Int) -> JSONKey {
        if let key = pathKeys[node] { return key }
        let key = JSONKey(stringValue: string(node))
        pathKeys[node] = key
        return key
    }

    private func placesOfAllValues() -> [JSONPlace] {
        if let places { return places }
        var places = [JSONPlace](repeating: JSONPlace(container: 0, position: 0), count: nodes.count)
        for container in nodes.indices where nodes[container].isContainer {
            let isObject = nodes[container].kind == .object
            let end = Int(nodes[container].next)
            var member = container + 1
            var position: UInt32 = 0
            while member < end {
                let value = isObject ? member + 1 : member
                places[value] = JSONPlace(container: UInt32(truncatingIfNeeded: container), position: position)
                member = Int(nodes[value].next)
                position += 1
            }
        }
        self.places = places
        return places
    }
}

/// The place of a value: its container and its position there.
private struct JSONPlace {
    let container: UInt32
    let position: UInt32
}

/// The types that `JSONDecoder` decodes in its own way, and arrays with a fast path.
private struct SpecialTypes {
    static let shared = SpecialTypes()

    private let date = ObjectIdentifier(Date.self)
    private let data = ObjectIdentifier(Data.self)
    private let url = ObjectIdentifier(URL.self)
    private let decimal = ObjectIdentifier(Decimal.self)
    private let strings = ObjectIdentifier([String].self)
    private let integers = ObjectIdentifier([Int].self)
    private let doubles = ObjectIdentifier([Double].self)

    func contains(_ type: ObjectIdentifier) -> Bool {
        type == date || type == data || type == url || type == decimal || type == strings || type == integers
            || type == doubles
    }
}
