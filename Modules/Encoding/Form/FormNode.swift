/// A node of the tree that becomes the form: an object, a list, a string, or empty.
///
/// A class, because containers that `Encodable` types keep write into the same tree.
final class FormNode {
    enum Content {
        case nothing
        case text(String)
        case list([FormNode])
        case object(FormObject)
        /// An object and a list, encoded under one key.
        case listAndObject([FormNode], FormObject)
    }

    var content = Content.nothing

    /// Whether the node contains text. Objects and lists without text have no form.
    var hasPairs: Bool {
        switch content {
        case .nothing: false
        case .text: true
        case .list(let elements): elements.contains(where: \.hasPairs)
        case .object(let object): object.hasPairs
        case .listAndObject(let elements, let object): elements.contains(where: \.hasPairs) || object.hasPairs
        }
    }

    /// Whether the node is an object or a list.
    var isContainer: Bool {
        switch content {
        case .nothing, .text: false
        case .list, .object, .listAndObject: true
        }
    }

    /// Makes the node an object, in addition to a list if it is one; `false` if it is a string.
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

    /// Makes the node a list, in addition to an object if it is one; `false` if it is a string.
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
        // The array must have one reference while it grows, or appending would take quadratic time.
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

    /// Returns the member of an object, which is created if it is missing.
    func member(_ key: String) -> FormNode {
        switch content {
        case .object(let object), .listAndObject(_, let object): object.member(key)
        case .nothing, .text, .list: FormNode()
        }
    }
}

/// The keys and values in the order of their first encoding.
final class FormObject {
    private(set) var members: [(key: String, node: FormNode)] = []
    // Built for objects with many members only: hashing the keys of a form of five pairs takes 34,400 instructions
    // instead of 25,700.
    private var positions: [String: Int] = [:]

    func member(_ key: String) -> FormNode {
        if let position = position(of: key) { return members[position].node }
        let node = FormNode()
        members.append((key, node))
        if !positions.isEmpty { positions[key] = members.count - 1 }
        return node
    }

    /// Whether a member contains text.
    var hasPairs: Bool { members.contains { $0.node.hasPairs } }

    private func position(of key: String) -> Int? {
        guard members.count > 8 else { return members.firstIndex { $0.key == key } }
        if positions.isEmpty {
            for (position, member) in members.enumerated() { positions[member.key] = position }
        }
        return positions[key]
    }
}
