/// A container that decodes the elements of an array, one after the other.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    let document: JSONDocument
    let node: Int
    private var element: Int
    private(set) var currentIndex = 0

    init(document: JSONDocument, node: Int) throws {
        guard document.nodes[node].kind == .array else { throw document.mismatch([Any].self, node) }
        self.document = document
        self.node = node
        element = node + 1
    }

    var codingPath: [any CodingKey] { document.codingPath(of: node) }

    // A container's node stores the number of its members in `end`.
    var count: Int? { Int(document.nodes[node].end) }

    var isAtEnd: Bool { element >= Int(document.nodes[node].next) }

    /// Decodes the next element and advances only if that succeeds.
    private mutating func take<Value>(_ type: Value.Type, _ decode: (Int) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw endReached(type) }
        let value = try decode(element)
        advance()
        return value
    }

    private mutating func advance() {
        element = Int(document.nodes[element].next)
        currentIndex += 1
    }

    private func endReached(_ type: any Any.Type) -> DecodingError {
        let path = document.path(to: node) + [JSONKey(intValue: currentIndex)]
        return .valueNotFound(type, .init(codingPath: path, debugDescription: "Unkeyed container is at end."))
    }

    mutating func decodeNil() throws -> Bool {
        if !isAtEnd, document.nodes[element].kind != .null { return false }
        return try take(Bool.self) { _ in true }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take(KeyedDecodingContainer<NestedKey>.self) { [document] in
            try document.container(keyedBy: type, at: $0)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take((any UnkeyedDecodingContainer).self) { [document] in
            try JSONUnkeyedContainer(document: document, node: $0)
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try take((any Decoder).self) { [document] in JSONNodeDecoder(document: document, node: $0) }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try take(type) { [document] in try document.decodeBool(at: $0) }
    }

    mutating func decode(_ type: String.Type) throws -> String {
        try take(type) { [document] in try document.decodeString(at: $0) }
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try take(type) { [document] in try document.decodeDouble(at: $0) }
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        try take(type) { [document] in try document.decodeFloat(at: $0) }
    }

    mutating func decode(_ type: Int.Type) throws -> Int {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try take(type) { [document] in try document.decodeInteger(type, at: $0) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd else { throw endReached(type) }
        let value = try document.decode(type, at: element)
        advance()
        return value
    }
}
