/// The decoder of one node of a document. Its two words fit into an existential without an allocation.
struct JSONNodeDecoder: Decoder {
    let document: JSONDocument
    let node: Int

    var codingPath: [any CodingKey] { document.codingPath(of: node) }

    var userInfo: [CodingUserInfoKey: Any] { document.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try document.container(keyedBy: type, at: node)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedContainer(document: document, node: node)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONNodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.nodes[node].kind == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try document.decodeBool(at: node) }
    func decode(_ type: String.Type) throws -> String { try document.decodeString(at: node) }
    func decode(_ type: Double.Type) throws -> Double { try document.decodeDouble(at: node) }
    func decode(_ type: Float.Type) throws -> Float { try document.decodeFloat(at: node) }
    func decode(_ type: Int.Type) throws -> Int { try document.decodeInteger(type, at: node) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.decodeInteger(type, at: node) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.decodeInteger(type, at: node) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.decodeInteger(type, at: node) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.decodeInteger(type, at: node) }
    func decode(_ type: Int128.Type) throws -> Int128 { try document.decodeInteger(type, at: node) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.decodeInteger(type, at: node) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.decodeInteger(type, at: node) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.decodeInteger(type, at: node) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.decodeInteger(type, at: node) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.decodeInteger(type, at: node) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.decodeInteger(type, at: node) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.decode(type, at: node) }
}
