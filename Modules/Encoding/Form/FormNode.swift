/// A value on its way to text: an object, a list, a text or nothing at all.
///
/// A reference, since containers that `Encodable` types hold on to write into the same tree.
final class FormNode {
    enum Content {
        case nothing
        case text(String)
        case list([FormNode])
        case object(FormObject)
        /// Both, encoded under one key.
        case listAndObject([FormNode], FormObject)
    }

    var content = Content.nothing

    /// Whether any text is in it. Objects and lists without any cannot be expressed.
    var hasPairs: Bool {
        switch content {
        case .nothing: false
        case .text: true
        case .list(let elements): elements.contains(where: \.hasPairs)
        case .object(let object): object.hasPairs
        case .listAndObject(let elements, let object): elements.contains(where: \.hasPairs) || object.hasPairs
        }
    }

    /// Makes it an object, beside the list that it may be; `false` if it is a text.
    func becomeObject() -> Bool {
        switch content {
        case .object, .listAndObject: return true
        case .list(let elements):
            content = .listAndObject(elements, FormObject())
            return true
        case .nothing:
            content = .object(FormObject())
            return true
        case .text: return false
        }
    }

    /// Makes it a list, beside the object that it may be; `false` if it is a text.
    func becomeList() -> Bool {
        switch content {
        case .list, .listAndObject: return true
        case .object(let object):
            content = .listAndObject([], object)
            return true
        case .nothing:
            content = .list([])
            return true
        case .text: return false
        }
    }

    /// The number of elements of a list.
    var count: Int {
        switch content {
        case .list(let elements), .listAndObject(let elements, _): elements.count
        case .nothing, .text, .object: 0
        }
    }

    /// Adds an element to a list.
    func append() -> FormNode {
        let node = FormNode()
        // The array must not be held twice while it grows, or each element would copy it.
        switch content {
        case .list(var elements):
            content = .nothing
            elements.append(node)
            content = .list(elements)
        case .listAndObject(var elements, let object):
            content = .nothing
            elements.append(node)
            content = .listAndObject(elements, object)
        case .nothing, .text, .object: break
        }
        return node
    }

    /// The member of an object, made if it is not there.
    func member(_ key: String) -> FormNode {
        switch content {
        case .object(let object), .listAndObject(_, let object): object.member(key)
        case .nothing, .text, .list: FormNode()
        }
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

    /// Whether any text is in it.
    var hasPairs: Bool { members.contains { $0.node.hasPairs } }

    private func position(of key: String) -> Int? {
        guard members.count > 8 else { return members.firstIndex { $0.key == key } }
        if positions.isEmpty {
            for (position, member) in members.enumerated() { positions[member.key] = position }
        }
        return positions[key]
    }
}
