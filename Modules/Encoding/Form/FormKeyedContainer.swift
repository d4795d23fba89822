/// A container that encodes the members of an object.
///
/// The generic methods meet the protocol's requirements for the single types too, except for the 128-bit integers,
/// whose defaults throw and would take precedence.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: FormTree
    let node: FormNode
    let path: FormPath

    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) { tree.encodeNil(into: node.member(key.stringValue)) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try tree.encode(value, into: node.member(key.stringValue), at: path.appending(key))
    }

    func encode(_ value: Int128, forKey key: Key) { node.member(key.stringValue).content = .text(value.description) }
    func encode(_ value: UInt128, forKey key: Key) { node.member(key.stringValue).content = .text(value.description) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(for: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    /// Returns an encoder of the same object, as Alamofire's: the members of a superclass stand beside those of its
    /// subclass. Other encoders of keys and values write them under the key `super`.
    func superEncoder() -> any Encoder { FormNodeEncoder(tree: tree, node: node, path: path) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: any CodingKey) -> FormNodeEncoder {
        FormNodeEncoder(tree: tree, node: node.member(key.stringValue), path: path.appending(key))
    }
}
