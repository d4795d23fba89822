/// The encoder that a value sees: one frame of a writer.
struct JSONNodeEncoder: Encoder {
    let writer: JSONWriter
    let frame: JSONFrame.Identifier

    var codingPath: [any CodingKey] { writer.codingPath() }

    var userInfo: [CodingUserInfoKey: Any] { writer.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        _ = writer.begin(.object, in: frame)
        return writer.container(keyedBy: type, in: frame)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        _ = writer.begin(.array, in: frame)
        return JSONUnkeyedEncodingContainer(writer: writer, frame: frame)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONNodeEncoder: SingleValueEncodingContainer {
    func encodeNil() { if writer.beginScalar(in: frame) { writer.writeNull() } }
    func encode(_ value: Bool) { if writer.beginScalar(in: frame) { writer.write(value) } }
    func encode(_ value: String) { if writer.beginScalar(in: frame) { writer.write(value) } }
    func encode(_ value: Double) throws { if writer.beginScalar(in: frame) { try writer.write(value) } }
    func encode(_ value: Float) throws { if writer.beginScalar(in: frame) { try writer.write(value) } }
    func encode(_ value: Int) { integer(value) }
    func encode(_ value: Int8) { integer(value) }
    func encode(_ value: Int16) { integer(value) }
    func encode(_ value: Int32) { integer(value) }
    func encode(_ value: Int64) { integer(value) }
    func encode(_ value: Int128) { integer(value) }
    func encode(_ value: UInt) { integer(value) }
    func encode(_ value: UInt8) { integer(value) }
    func encode(_ value: UInt16) { integer(value) }
    func encode(_ value: UInt32) { integer(value) }
    func encode(_ value: UInt64) { integer(value) }
    func encode(_ value: UInt128) { integer(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try writer.write(value, in: frame) }

    private func integer(_ value: some FixedWidthInteger) {
        if writer.beginScalar(in: frame) { writer.write(value) }
    }
}
