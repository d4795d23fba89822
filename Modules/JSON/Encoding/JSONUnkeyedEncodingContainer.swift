/// The array that a value writes its elements to.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let frame: JSONFrame.Identifier

    var codingPath: [any CodingKey] { writer.codingPath() }
    var count: Int { writer.count(of: frame) }

    private func begin() -> Bool { writer.beginElement(of: frame) }

    func encodeNil() { if begin() { writer.writeNull() } }
    func encode(_ value: Bool) { if begin() { writer.write(value) } }
    func encode(_ value: String) { if begin() { writer.write(value) } }
    func encode(_ value: Double) throws { if begin() { try writer.write(value) } }
    func encode(_ value: Float) throws { if begin() { try writer.write(value) } }
    func encode(_ value: Int) { if begin() { writer.write(value) } }
    func encode(_ value: Int8) { if begin() { writer.write(value) } }
    func encode(_ value: Int16) { if begin() { writer.write(value) } }
    func encode(_ value: Int32) { if begin() { writer.write(value) } }
    func encode(_ value: Int64) { if begin() { writer.write(value) } }
    func encode(_ value: Int128) { if begin() { writer.write(value) } }
    func encode(_ value: UInt) { if begin() { writer.write(value) } }
    func encode(_ value: UInt8) { if begin() { writer.write(value) } }
    func encode(_ value: UInt16) { if begin() { writer.write(value) } }
    func encode(_ value: UInt32) { if begin() { writer.write(value) } }
    func encode(_ value: UInt64) { if begin() { writer.write(value) } }
    func encode(_ value: UInt128) { if begin() { writer.write(value) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        if begin() { try writer.write(value: value) }
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        writer.container(keyedBy: keyType, in: open(.object))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONUnkeyedEncodingContainer(writer: writer, frame: open(.array))
    }

    func superEncoder() -> any Encoder { JSONNodeEncoder(writer: writer, frame: open(.empty)) }

    private func open(_ content: JSONFrame.Content) -> JSONFrame.Identifier {
        begin() ? writer.open(content) : .complete
    }
}
