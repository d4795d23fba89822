/// The object that a value writes its members to.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let place: ContainerPlace<JSONFrame.Identifier>

    private var frame: JSONFrame.Identifier {
        switch place {
        case .fixed(let frame): frame
        case .slot(let slot): writer.containers.place(of: slot)
        }
    }

    var codingPath: [any CodingKey] { writer.codingPath() }

    private func begin(_ key: Key) -> Bool { writer.beginMember(key.stringValue, of: frame) }

    func encodeNil(forKey key: Key) { if begin(key) { writer.writeNull() } }
    func encode(_ value: Bool, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: String, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: Double, forKey key: Key) throws { if begin(key) { try writer.write(value) } }
    func encode(_ value: Float, forKey key: Key) throws { if begin(key) { try writer.write(value) } }
    func encode(_ value: Int, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: Int8, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: Int16, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: Int32, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: Int64, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: Int128, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: UInt, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: UInt8, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: UInt16, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: UInt32, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: UInt64, forKey key: Key) { if begin(key) { writer.write(value) } }
    func encode(_ value: UInt128, forKey key: Key) { if begin(key) { writer.write(value) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        if begin(key) { try writer.write(value: value) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        writer.container(keyedBy: keyType, in: open(.object, key))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncodingContainer(writer: writer, frame: open(.array, key))
    }

    func superEncoder() -> any Encoder {
        guard writer.beginMember(JSONKey.super.stringValue, of: frame) else {
            return JSONNodeEncoder(writer: writer, frame: .complete)
        }
        return JSONNodeEncoder(writer: writer, frame: writer.open(.empty))
    }

    func superEncoder(forKey key: Key) -> any Encoder { JSONNodeEncoder(writer: writer, frame: open(.empty, key)) }

    private func open(_ content: JSONFrame.Content, _ key: Key) -> JSONFrame.Identifier {
        begin(key) ? writer.open(content) : .complete
    }
}
