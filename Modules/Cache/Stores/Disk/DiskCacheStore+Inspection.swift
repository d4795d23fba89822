extension DiskCacheStore {
    /// A damaged file of a cache.
    public struct Damage: Sendable, Hashable, CustomStringConvertible {
        /// The file.
        public let path: String
        /// The kind of damage.
        public let reason: String

        /// Path and reason.
        public var description: String { "\(path): \(reason)" }
    }

    /// All stored responses, in no order.
    public func allEntries() -> [CacheEntry] {
        folder.files(in: "entries").flatMap { readGroup($0)?.entries ?? [] }
    }

    /// Reads all files and checks them against their checksums.
    ///
    /// - Returns: The intact responses and the damaged files. Damaged responses are never served; the store replaces
    ///   them.
    public func verify() -> (intact: Int, damages: [Damage]) {
        var (intact, damages) = (0, [Damage]())
        for path in folder.files(in: "entries") where !path.hasSuffix(".new") {
            guard let group = readGroup(path) else {
                damages.append(Damage(path: path, reason: "its checksum is wrong"))
                continue
            }
            for entry in group.entries {
                if (try? read(entry)) != nil {
                    intact += 1
                } else {
                    damages.append(
                        Damage(path: folder.bodyPath(entry.identifier), reason: "missing, or its checksum is wrong"))
                }
            }
        }
        return (intact, damages)
    }
}
