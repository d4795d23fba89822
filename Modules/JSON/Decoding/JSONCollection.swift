/// Arrays and dictionaries, which are decoded without a container.
///
/// The standard library's own `init(from:)` asks a container for each element through an existential, and lets the
/// array grow step by step: some 500 instructions an element more.
protocol JSONCollection {
    static func decode(from document: JSONDocument, at index: Int) throws -> Self
}

extension Array: JSONCollection where Element: Decodable {
    static func decode(from document: JSONDocument, at index: Int) throws -> [Element] {
        guard document.nodes[index].kind == .array else { throw document.mismatch([Any].self, index) }
        var array: [Element] = []
        array.reserveCapacity(Int(document.nodes[index].end))
        var element = index + 1
        let end = Int(document.nodes[index].next)
        while element < end {
            array.append(try document.decode(Element.self, at: element))
            element = Int(document.nodes[element].next)
        }
        return array
    }
}

/// The keys are data and not a type's, so the strategy for keys does not apply to them.
extension Dictionary: JSONCollection where Key == String, Value: Decodable {
    static func decode(from document: JSONDocument, at index: Int) throws -> [String: Value] {
        guard document.nodes[index].kind == .object else { throw document.mismatch(Self.self, index) }
        var dictionary: [String: Value] = [:]
        dictionary.reserveCapacity(Int(document.nodes[index].end))
        var member = index + 1
        let end = Int(document.nodes[index].next)
        while member < end {
            let key = document.string(member)
            // `JSONDecoder` gives such a key its integer value, unless a strategy converts keys.
            if document.usesKeysAsTheyAre, Int(key) != nil { document.hasIntegerKeys = true }
            // The first of several members with the same key counts. `JSONDecoder` decodes the others too.
            let value = try document.decode(Value.self, at: member + 1)
            if dictionary[key] == nil { dictionary[key] = value }
            member = Int(document.nodes[member + 1].next)
        }
        return dictionary
    }
}
