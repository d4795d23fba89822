/// The encoder of one node of the tree.
struct FormNodeEncoder: Encoder {
    let tree: FormTree
    let node: FormNode
    let path: FormPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedContainer(tree: tree, node: tree.object(node, at: path), path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(tree: tree, node: tree.list(node, at: path), path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormSingleValueContainer(tree: tree, node: node, path: path)
    }
}

/// A container that encodes one value into a node.
struct FormSingleValueContainer: SingleValueEncodingContainer {
    let tree: FormTree
    let node: FormNode
    let path: FormPath

    var codingPath: [any CodingKey] { path.keys }

    /// The node for a value without members.
    private var single: FormNode { tree.single(node, at: path) }

    func encodeNil() { tree.encodeNil(into: single) }
    func encode(_ value: Bool) { tree.encode(value, into: single) }
    func encode(_ value: String) { write(value) }
    func encode(_ value: Double) { write(value) }
    func encode(_ value: Float) { write(value) }
    func encode(_ value: Int) { write(value) }
    func encode(_ value: Int8) { write(value) }
    func encode(_ value: Int16) { write(value) }
    func encode(_ value: Int32) { write(value) }
    func encode(_ value: Int64) { write(value) }
    func encode(_ value: Int128) { write(value) }
    func encode(_ value: UInt) { write(value) }
    func encode(_ value: UInt8) { write(value) }
    func encode(_ value: UInt16) { write(value) }
    func encode(_ value: UInt32) { write(value) }
    func encode(_ value: UInt64) { write(value) }
    func encode(_ value: UInt128) { write(value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        // Members that were encoded before, such as those of a subclass, remain.
        guard !node.isContainer else { return try tree.descend(value, node, path) }
        try tree.encode(value, into: node, at: path)
    }

    private func write(_ value: some LosslessStringConvertible) { single.content = .text(value.description) }
}
