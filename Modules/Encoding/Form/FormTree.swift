internal import Foundation

/// The builder of a tree from an `Encodable` value, shared by all containers of one encoding.
final class FormTree {
    /// The maximum depth. `Encodable` recurses on the stack, so a value that contains itself would overflow it.
    static let maximumDepth = 512

    private let options: URLEncodedFormEncoder
    private var failure: EncodingError?

    private init(options: URLEncodedFormEncoder) { self.options = options }

    /// Returns the tree of a value.
    static func make(from value: any Encodable, options: URLEncodedFormEncoder) throws -> FormNode {
        let tree = FormTree(options: options)
        let root = FormNode()
        try tree.encode(value, into: root, at: .root)
        if let failure = tree.failure { throw failure }
        return root
    }

    /// Encodes a value into a node and replaces its content.
    func encode<Value: Encodable>(_ value: Value, into node: FormNode, at path: @autoclosure () -> FormPath) throws {
        node.content = .nothing
        switch value {
        case let text as String: node.content = .text(text)
        case let number as Int: node.content = .text(String(number))
        case let bool as Bool: encode(bool, into: node)
        case let decimal as Decimal: node.content = .text(decimal.description)
        case let date as Date:
            guard let text = try options.dateEncoding.encode(date) else { return try descend(value, node, path()) }
            node.content = .text(text)
        case let data as Data:
            guard let text = try options.dataEncoding.encode(data) else { return try descend(value, node, path()) }
            node.content = .text(text)
        default: try descend(value, node, path())
        }
    }

    func encode(_ value: Bool, into node: FormNode) { node.content = .text(options.boolEncoding.encode(value)) }

    func encodeNil(into node: FormNode) { node.content = options.nilEncoding.encode().map { .text($0) } ?? .nothing }

    /// Lets a value encode itself, into the members that a node has already.
    func descend(_ value: some Encodable, _ node: FormNode, _ path: FormPath) throws {
        guard path.depth <= Self.maximumDepth else { throw Self.tooDeep(at: path) }
        try value.encode(to: FormNodeEncoder(tree: self, node: node, path: path))
    }

    // MARK: Containers

    /// Makes the node an object. Creating a container cannot throw, so an error is reported after the value has been
    /// encoded.
    func object(_ node: FormNode, at path: FormPath) -> FormNode {
        usable(node, at: path, if: node.becomeObject())
    }

    /// Makes the node a list.
    func list(_ node: FormNode, at path: FormPath) -> FormNode {
        usable(node, at: path, if: node.becomeList())
    }

    /// Returns the node for a value without members, which must not replace members that were encoded before.
    func single(_ node: FormNode, at path: FormPath) -> FormNode {
        usable(node, at: path, if: !node.isContainer)
    }

    private func usable(_ node: FormNode, at path: FormPath, if isRightKind: Bool) -> FormNode {
        if isRightKind && path.depth <= Self.maximumDepth { return node }
        failure = failure ?? (isRightKind ? Self.tooDeep(at: path) : Self.conflict(at: path))
        return FormNode()
    }

    private static func tooDeep(at path: FormPath) -> EncodingError {
        path.error("nested deeper than \(maximumDepth) levels")
    }

    private static func conflict(at path: FormPath) -> EncodingError {
        path.error("encoded both as a single value and as an object or a list")
    }
}
