/// The place of a value in a JSON document: `user[name]`, `tags[]`, `rows[2][id]`.
package struct JSONKey: Hashable, Sendable {
    /// A step from a value to one of its members.
    package enum Step: Hashable, Sendable {
        case member(String)
        case index(Int)
        case append
    }

    /// A larger index is refused: the elements before it would have to be created.
    private static let maximumIndex = 10_000

    package let steps: [Step]
    private let text: String

    /// Reads a key.
    ///
    /// - Throws: ``ItemError`` when a bracket is not closed or an index is too large.
    package init(_ text: String) throws(ItemError) {
        self.text = text
        guard let bracket = text.firstIndex(of: "["), text.hasSuffix("]") else {
            steps = [.member(text)]
            return
        }
        var steps: [Step] = bracket == text.startIndex ? [] : [.member(String(text[..<bracket]))]
        var rest = text[bracket...]
        while !rest.isEmpty {
            guard rest.first == "[", let end = rest.firstIndex(of: "]") else {
                throw ItemError("'\(text)' has a bracket that is not closed")
            }
            let inner = String(rest[rest.index(after: rest.startIndex)..<end])
            if inner.isEmpty {
                steps.append(.append)
            } else if inner.allSatisfy({ $0.isASCII && $0.isNumber }) {
                guard let index = Int(inner), index <= Self.maximumIndex else {
                    throw ItemError("'\(text)' has an index above \(Self.maximumIndex)")
                }
                steps.append(.index(index))
            } else {
                steps.append(.member(inner))
            }
            rest = rest[rest.index(after: end)...]
        }
        self.steps = steps
    }

    /// Sets `value` at this path of `root`, and creates the objects and arrays on the path.
    ///
    /// - Throws: ``ItemError`` when the way leads through a value that is neither.
    package func put(_ value: JSONNode, into root: inout JSONNode?) throws(ItemError) {
        try put(value, steps[...], into: &root)
    }

    private func put(_ value: JSONNode, _ steps: ArraySlice<Step>, into node: inout JSONNode?) throws(ItemError) {
        guard let step = steps.first else {
            node = value
            return
        }
        let rest = steps.dropFirst()
        switch step {
        case .member(let name):
            guard case .object(var members) = node ?? .object([]) else { throw mismatch("an object", node) }
            let place = members.firstIndex { $0.name == name }
            var inner = place.map { members[$0].value }
            try put(value, rest, into: &inner)
            let member = JSONNode.Member(name, inner ?? .null)
            if let place { members[place] = member } else { members.append(member) }
            node = .object(members)
        case .index, .append:
            guard case .array(var elements) = node ?? .array([]) else { throw mismatch("an array", node) }
            var index = elements.count
            if case .index(let named) = step { index = named }
            while elements.count < index { elements.append(.null) }
            var inner: JSONNode? = index < elements.count && elements[index] != .null ? elements[index] : nil
            try put(value, rest, into: &inner)
            if index < elements.count { elements[index] = inner ?? .null } else { elements.append(inner ?? .null) }
            node = .array(elements)
        }
    }

    private func mismatch(_ expected: String, _ node: JSONNode?) -> ItemError {
        ItemError("'\(text)' needs \(expected) where an earlier argument put \(node?.kind ?? "nothing")")
    }
}
