/// A container that decodes the members of an object.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: JSONDocument
    let place: ContainerPlace<Int>

    /// The object's node.
    private var node: Int {
        switch place {
        case .fixed(let node): node
        case .slot(let slot): document.containers.place(of: slot)
        }
    }

    var codingPath: [any CodingKey] { document.codingPath(of: node) }

    var allKeys: [Key] {
        var known: Set<String> = []
        let keys = document.keys(of: node).compactMap { known.insert($0).inserted ? Key(stringValue: $0) : nil }
        if keys.contains(where: { $0.intValue != nil }) { document.hasIntegerKeys = true }
        return keys
    }

    func contains(_ key: Key) -> Bool { document.member(key.stringValue, of: node) != nil }

    /// Returns the node of a member.
    private func value(_ key: Key) throws -> Int {
        note(key)
        guard let member = document.member(key.stringValue, of: node) else {
            let words = "No value associated with key \(key.stringValue)."
            let path = document.path(to: node)
            throw DecodingError.keyNotFound(key, .init(codingPath: path, debugDescription: words))
        }
        return member
    }

    /// Records a key with an integer value, which the document's own keys do not have.
    private func note(_ key: some CodingKey) {
        if key.intValue != nil { document.hasIntegerKeys = true }
    }

    /// The node of a member that is there and not `null`.
    private func present(_ key: Key) -> Int? {
        note(key)
        guard let member = document.member(key.stringValue, of: node) else { return nil }
        return document.nodes[member].kind == .null ? nil : member
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try document.container(keyedBy: type, at: value(key))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedContainer(document: document, node: try value(key))
    }

    func superDecoder() throws -> any Decoder { try decoder(of: JSONKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(of: key) }

    /// Returns the decoder of a member. Without the member, `JSONDecoder` returns a decoder of null.
    private func decoder(of key: any CodingKey) throws -> any Decoder {
        note(key)
        guard let member = document.member(key.stringValue, of: node) else {
            document.giveUp()
            let words = "No value associated with key \(key.stringValue)."
            let path = document.path(to: node)
            throw DecodingError.keyNotFound(key, .init(codingPath: path, debugDescription: words))
        }
        return JSONNodeDecoder(document: document, node: member)
    }

    func decodeNil(forKey key: Key) throws -> Bool { document.nodes[try value(key)].kind == .null }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.decodeBool(at: value(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.decodeString(at: value(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try document.decodeDouble(at: value(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try document.decodeFloat(at: value(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try document.decodeInteger(type, at: value(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try document.decodeInteger(type, at: value(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try document.decodeInteger(type, at: value(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try document.decodeInteger(type, at: value(key))
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.decode(type, at: value(key))
    }

    // The protocol's defaults would look the key up three times.

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try document.decodeBool(at: $0) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try document.decodeString(at: $0) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try document.decodeDouble(at: $0) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try present(key).map { try document.decodeFloat(at: $0) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try present(key).map { try document.decodeInteger(type, at: $0) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try document.decode(type, at: $0) }
    }
}
