/// A value on its way to text: an object, a list, a text or nothing at all.
///
/// A reference, since containers that `Encodable` types hold on to write into the same tree.
final class FormNode {
    enum Content {
        case nothing
        case text(String)
        case list([FormNode])
        case object(FormObject)
    }

    var content = Content.nothing

    /// Whether any text is in it. Objects and lists without any cannot be expressed.
    var hasPairs: Bool {
        switch content {
        case .nothing: false
        case .text: true
        case .list(let elements): elements.contains(where: \.hasPairs)
        case .object(let object): object.members.contains { $0.node.hasPairs }
        }
    }

    /// Makes it an object if it is nothing yet; `false` if it is something else.
    func becomeObject() -> Bool {
        switch content {
        case .object: return true
        case .nothing:
            content = .object(FormObject())
            return true
        case .text, .list: return false
        }
    }

    /// Makes it a list if it is nothing yet; `false` if it is something else.
    func becomeList() -> Bool {
        switch content {
        case .list: return true
        case .nothing:
            content = .list([])
            return true
        case .text, .object: return false
        }
    }

    /// The number of elements of a list.
    var count: Int {
        guard case .list(let elements) = content else { return 0 }
        return elements.count
    }

    /// Adds an element to a list.
    func append() -> FormNode {
        let node = FormNode()
        guard case .list(var elements) = content else { return node }
        // The array must not be held twice while it grows, or each element would copy it.
        content = .nothing
        elements.append(node)
        content = .list(elements)
        return node
    }

    /// The member of an object, made if it is not there.
    func member(_ key: String) -> FormNode {
        guard case .object(let object) = content else { return FormNode() }
        return object.member(key)
    }
}

/// Keys and values in the order that they were first encoded.
final class FormObject {
    private(set) var members: [(key: String, node: FormNode)] = []
    // Only for objects with many members: comparing a few keys is cheaper than hashing one.
    private var positions: [String: Int] = [:]

    func member(_ key: String) -> FormNode {
        if let position = position(of: key) { return members[position].node }
        let node = FormNode()
        members.append((key, node))
        if !positions.isEmpty { positions[key] = members.count - 1 }
        return node
    }

    private func position(of key: String) -> Int? {
        guard members.count > 8 else { return members.firstIndex { $0.key == key } }
        if positions.isEmpty {
            for (position, member) in members.enumerated() { positions[member.key] = position }
        }
        return positions[key]
    }
}
