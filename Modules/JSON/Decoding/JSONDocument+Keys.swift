internal import FoundationEssentials

extension JSONDocument {
    /// The number of members from which on an object's keys are indexed instead of compared one by one.
    private static let indexThreshold = 33

    /// Returns the value of an object's member; `nil` if there is none. The first of several members with the same key
    /// counts.
    func member(_ key: String, of object: Int) -> Int? {
        guard usesKeysAsTheyAre, nodes[object].end < Self.indexThreshold else { return index(of: object)[key] }
        var key = key
        return key.withUTF8 { search($0, in: object) }
    }

    /// Returns the keys of an object as the strategy converts them, in the order of the text.
    func keys(of object: Int) -> [String] {
        var keys: [String] = []
        keys.reserveCapacity(Int(nodes[object].end))
        let end = Int(nodes[object].next)
        var member = object + 1
        while member < end {
            keys.append(string(member))
            member = Int(nodes[member + 1].next)
        }
        return usesKeysAsTheyAre ? keys : keys.map(Self.convertFromSnakeCase)
    }

    /// Compares bytes, which suffices for keys in ASCII without escapes.
    @inline(__always)
    private func search(_ wanted: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let head = Head(wanted)
        let end = Int(nodes[object].next)
        var member = object + 1
        while member < end {
            let node = nodes[member]
            guard node.kind == .plainString else { return searchByText(wanted, in: object) }
            if head.begins(node, bytes), wanted.count <= Head.size || isEqual(node, wanted) { return member + 1 }
            member = Int(nodes[member + 1].next)
        }
        return wanted.allSatisfy { $0 < 0x80 } ? nil : searchByText(wanted, in: object)
    }

    /// The first bytes of a key as one word, which is the whole of most keys.
    private struct Head {
        static let size = 8

        private let count: Int
        private let word: UInt64
        private let mask: UInt64

        @inline(__always)
        init(_ key: UnsafeBufferPointer<UInt8>) {
            count = key.count
            var word: UInt64 = 0
            for index in 0..<min(key.count, Self.size) { word |= UInt64(key[index]) &<< (UInt64(index) &* 8) }
            self.word = word
            mask = key.count >= Self.size ? .max : 1 &<< (UInt64(key.count) &* 8) &- 1
        }

        /// Returns whether a string has the key's length and first bytes. Reads a whole word, since padding follows the
        /// text.
        @inline(__always)
        func begins(_ node: JSONNode, _ bytes: [UInt8]) -> Bool {
            guard Int(node.end &- node.start) == count else { return false }
            let word = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: Int(node.start), as: UInt64.self)
            return UInt64(littleEndian: word) & mask == self.word
        }
    }

    @inline(never)
    private func searchByText(_ wanted: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let end = Int(nodes[object].next)
        var member = object + 1
        while member < end {
            if isEquivalent(member, wanted) { return member + 1 }
            member = Int(nodes[member + 1].next)
        }
        return nil
    }

    @inline(never)
    private func isEqual(_ node: JSONNode, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[Int(node.start)..<Int(node.end)].elementsEqual(wanted)
    }

    /// Returns whether two keys are equal although their bytes differ: by escapes, or by Unicode's canonical
    /// equivalence (`é` in one or two scalars).
    private func isEquivalent(_ member: Int, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        string(member) == String(decoding: wanted, as: UTF8.self)
    }

    @inline(never)
    private func index(of object: Int) -> [String: Int] {
        if let index = indexes[object] { return index }
        var index: [String: Int] = [:]
        var member = object + 1
        for key in keys(of: object) {
            if index[key] == nil { index[key] = member + 1 }
            member = Int(nodes[member + 1].next)
        }
        indexes[object] = index
        return index
    }

    /// Converts `one_two_three` to `oneTwoThree`. Leading and trailing underscores stay.
    private static func convertFromSnakeCase(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let words = key[first...last].split(separator: "_")
        let joined =
            if words.count > 1 {
                words[0].lowercased() + words.dropFirst().map { String($0).capitalized }.joined()
            } else {
                String(key[first...last])
            }
        return key[..<first] + joined + key[key.index(after: last)...]
    }
}
