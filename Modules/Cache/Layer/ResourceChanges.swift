internal import Synchronization

/// The changes of resources whose responses a store may have (RFC 9111 §4.4).
///
/// The layers of several sessions may have the same store. They share this record, so that a change in one session
/// reaches the responses in flight in the others.
final class ResourceChanges: Sendable {
    private struct Record {
        /// The numbers of the last changes of resources, by the hashes of their keys.
        var numbers: [UInt64: UInt64] = [:]
        /// The number of the last change that is no longer in `numbers`.
        var lastForgotten: UInt64 = 0
    }

    private struct WeakChanges {
        weak var changes: ResourceChanges?
    }

    /// The maximum number of resources whose last change is known. A full record is cleared, and no response to a
    /// request that was sent before that is stored.
    private static let limit = 1024
    /// The records of the stores that a layer uses. The mutex guards the table.
    private static let shared = Mutex<[ObjectIdentifier: WeakChanges]>([:])

    // Guards the record.
    private let record = Mutex(Record())
    /// The number of changes. Written under the lock, and read without it.
    private let changed = Atomic<UInt64>(0)

    /// Returns the record of a store; one that no other layer shares for `nil`.
    static func ofResponses(in store: (any CacheStore)?) -> ResourceChanges {
        guard let store else { return ResourceChanges() }
        return shared.withLock { shared in
            if let changes = shared[ObjectIdentifier(store)]?.changes { return changes }
            // An identifier may be reused once its store, and with it the layers that use it, are gone.
            shared = shared.filter { $0.value.changes != nil }
            let changes = ResourceChanges()
            shared[ObjectIdentifier(store)] = WeakChanges(changes: changes)
            return changes
        }
    }

    /// The number of changes of resources so far.
    var count: UInt64 { changed.load(ordering: .acquiring) }

    /// Records that a request has changed the resource of `key`.
    func append(_ key: CacheKey) {
        record.withLock { record in
            let number = changed.wrappingAdd(1, ordering: .releasing).newValue
            if record.numbers.count >= Self.limit {
                record.numbers.removeAll(keepingCapacity: true)
                record.lastForgotten = number - 1
            }
            record.numbers[key.hash] = number
        }
    }

    /// Records that all stored responses are removed, so that no response to an earlier request is stored.
    func appendAll() {
        record.withLock { record in
            record.numbers.removeAll(keepingCapacity: true)
            record.lastForgotten = changed.wrappingAdd(1, ordering: .releasing).newValue
        }
    }

    /// Whether the resource of `key` may have changed since ``count`` was read.
    func contains(_ key: CacheKey, since count: UInt64) -> Bool {
        guard self.count != count else { return false }
        return record.withLock { record in
            count < record.lastForgotten || record.numbers[key.hash].map { $0 > count } ?? false
        }
    }
}
