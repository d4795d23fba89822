/// A container that encodes the elements of a list.
///
/// The generic method meets the protocol's requirements for the single types too, except for the 128-bit integers,
/// whose defaults throw and would take precedence.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let tree: FormTree
    let node: FormNode
    let path: FormPath

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { node.count }

    func encodeNil() { tree.encodeNil(into: node.append()) }

    func encode<Value: Encodable>(_ value: Value) throws {
        let index = count
        try tree.encode(value, into: node.append(), at: path.appending(FormKey(intValue: index)))
    }

    func encode(_ value: Int128) { node.append().content = .text(value.description) }
    func encode(_ value: UInt128) { node.append().content = .text(value.description) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        nextEncoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { nextEncoder() }

    private func nextEncoder() -> FormNodeEncoder {
        let index = count
        return FormNodeEncoder(tree: tree, node: node.append(), path: path.appending(FormKey(intValue: index)))
    }
}
