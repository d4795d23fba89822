/// The members of the open objects: those of an inner object follow those of the object around it.
struct JSONMembers: ~Copyable {
    /// From this many members on, an object's keys are looked up in a set instead of one by one.
    private static let setThreshold = 33

    private var hashes = GrowingBuffer<UInt64>(capacity: 32)
    /// The keys and where their members start in the text, where members are sorted.
    private var keys: [(key: String, start: Int)] = []
    /// The hashes of the members of large objects, by the index of the object's first member.
    private var sets: [Int: Set<UInt64>] = [:]

    /// The number of members of all open objects.
    var count: Int { hashes.count }

    /// Adds a member to the innermost object; `false` if the object has a member with the key, or with one of the same
    /// hash.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - start: The position of the member in the text.
    ///   - first: The index of the object's first member.
    ///   - keepsKey: Whether the members will be sorted.
    mutating func append(_ key: inout String, at start: Int, of first: Int, keepsKey: Bool) -> Bool {
        let hash = Self.hash(&key)
        guard isNew(hash, in: first) else { return false }
        hashes.append(hash)
        if keepsKey { keys.append((key, start)) }
        return true
    }

    /// Forgets the members of the innermost object.
    mutating func removeAll(from first: Int) {
        if hashes.count - first >= Self.setThreshold { sets[first] = nil }
        hashes.removeAll(from: first)
        if keys.count > first { keys.removeSubrange(first...) }
    }

    /// Sorts the text of the innermost object's members by the bytes of their keys, as `JSONEncoder` does.
    ///
    /// - Parameters:
    ///   - first: The index of the object's first member.
    ///   - bytes: The text, up to the end of the object's last member.
    func sort(from first: Int, in bytes: inout GrowingBuffer<UInt8>) {
        let members = keys[first...]
        guard let start = members.first?.start else { return }
        let order = members.indices.sorted { members[$0].key.utf8.lexicographicallyPrecedes(members[$1].key.utf8) }
        guard !order.elementsEqual(members.indices) else { return }
        let text = Array(bytes.all[start...])
        bytes.removeAll(from: start)
        for index in order {
            if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
            // A comma precedes every member but the first.
            let end = index + 1 < members.endIndex ? members[index + 1].start - 1 : start + text.count
            let member = text[(members[index].start - start)..<(end - start)]
            member.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
    }

    private mutating func isNew(_ hash: UInt64, in first: Int) -> Bool {
        let count = hashes.count - first
        guard count >= Self.setThreshold - 1 else { return !hashes.all[first...].contains(hash) }
        if sets[first] == nil { sets[first] = Set(hashes.all[first...]) }
        return sets[first]?.insert(hash).inserted ?? false
    }

    /// Equal keys have equal hashes. Strings are equal if their canonical forms are, which `hashValue` knows.
    private static func hash(_ key: inout String) -> UInt64 {
        if let hash = hashOfASCII(&key) { return hash }
        if var canonical = asciiForm(of: key), let hash = hashOfASCII(&canonical) { return hash }
        return UInt64(truncatingIfNeeded: key.hashValue)
    }

    private static let asciiForms: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{212A}": "K", "\u{37E}": ";", "\u{1FEF}": "`",
    ]

    /// Returns `key` with the three characters beyond ASCII replaced whose canonical forms are in ASCII; `nil` if it
    /// has none of them.
    private static func asciiForm(of key: String) -> String? {
        guard key.unicodeScalars.contains(where: { asciiForms[$0] != nil }) else { return nil }
        return String(String.UnicodeScalarView(key.unicodeScalars.map { asciiForms[$0] ?? $0 }))
    }

    /// Returns the hash of a key in ASCII; `nil` for all others.
    private static func hashOfASCII(_ key: inout String) -> UInt64? {
        key.withUTF8 { text in
            // FNV-1a.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            var union: UInt8 = 0
            for byte in text {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                union |= byte
            }
            return union < 0x80 ? hash : nil
        }
    }
}
