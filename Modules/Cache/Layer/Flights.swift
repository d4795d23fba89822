internal import AirframeTransport
internal import Synchronization

/// The requests that have been sent to the server for responses that other requests may share.
///
/// The table is an array of buckets that keep their storage, and waiters get an object only when there is one: a flight
/// that no other request joins allocates nothing (Docs/Decisions/0114).
final class Flights: Sendable {
    /// A request's part in a flight.
    enum Part {
        /// The request is sent.
        case leader(Flight)
        /// The request waits for the response to the leader's.
        case follower(FlightWaiters)
        /// The request is sent although another one is in flight: the last response could not be shared.
        case independent
    }

    private struct Entry {
        let key: CacheKey
        let number: UInt64
        var waiters: FlightWaiters?
        /// Whether the resource has changed since the request was sent. No other request joins the flight then.
        var isOutdated = false
    }

    private struct Table {
        var buckets = [[Entry]](repeating: [], count: Flights.bucketCount)
        var revalidations: Set<CacheKey> = []
        var unshared = UnsharedKeys()
        /// The number of flights that have begun.
        var beginCount: UInt64 = 0
        /// The numbers of the last changes of resources, by the hashes of their keys.
        var changes: [UInt64: UInt64] = [:]
        /// The number of the last change that is no longer in ``changes``.
        var forgottenChange: UInt64 = 0

        mutating func begin(_ key: CacheKey) -> Flight {
            beginCount &+= 1
            let flight = Flight(bucket: key.bucket, number: beginCount)
            buckets[flight.bucket].append(Entry(key: key, number: flight.number))
            return flight
        }

        func position(of key: CacheKey) -> Int? {
            buckets[key.bucket].firstIndex { $0.key == key && !$0.isOutdated }
        }

        func position(of flight: Flight) -> Int? {
            buckets[flight.bucket].firstIndex { $0.number == flight.number }
        }

        mutating func record(_ change: UInt64, of key: CacheKey) {
            if let position = self.position(of: key) { buckets[key.bucket][position].isOutdated = true }
            if changes.count >= Flights.changeLimit {
                changes.removeAll(keepingCapacity: true)
                forgottenChange = change - 1
            }
            changes[key.hash] = change
        }
    }

    fileprivate static let bucketCount = 64
    /// The maximum number of resources whose last change is known. A full table is cleared, and no response to a
    /// request that was sent before that is stored.
    private static let changeLimit = 1024

    // Guards the table.
    private let table = Mutex(Table())
    /// The number of flights that have ended. Written under the lock, and read without it.
    private let ended = Atomic<Int>(0)
    /// The number of changes. Written under the lock, and read without it.
    private let changed = Atomic<UInt64>(0)

    /// Joins the flight for `key`, or begins one.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - arrival: The instant at which the request reached the cache.
    func join(_ key: CacheKey, at arrival: MonotonicInstant) -> Part {
        table.withLock { table in
            guard let position = table.position(of: key) else { return .leader(table.begin(key)) }
            if table.unshared.contains(key.hash, at: arrival) { return .independent }
            if let waiters = table.buckets[key.bucket][position].waiters { return .follower(waiters) }
            let waiters = FlightWaiters()
            table.buckets[key.bucket][position].waiters = waiters
            return .follower(waiters)
        }
    }

    /// The number of flights that have ended.
    var endCount: Int { ended.load(ordering: .acquiring) }

    /// Begins a flight for `key`; `nil` when there is one, or when one has ended since `endCount` was read: its
    /// response may be in the store by now.
    func begin(_ key: CacheKey, since endCount: Int) -> Flight? {
        table.withLock { table in
            guard self.endCount == endCount, table.position(of: key) == nil else { return nil }
            return table.begin(key)
        }
    }

    /// Gives the followers of a flight its result before the flight ends.
    func publish(_ result: Flight.FollowerResult, of flight: Flight?) {
        guard let flight else { return }
        let waiters: FlightWaiters? = table.withLock { table in
            guard let position = table.position(of: flight) else { return nil }
            let waiters = table.buckets[flight.bucket][position].waiters ?? FlightWaiters()
            table.buckets[flight.bucket][position].waiters = waiters
            return waiters
        }
        waiters?.publish(result)
    }

    /// Ends a flight: its followers get the result, and the next request for the key begins another.
    func end(_ flight: Flight?, _ result: Flight.FollowerResult) {
        guard let flight else { return }
        let waiters: FlightWaiters? = table.withLock { table in
            ended.wrappingAdd(1, ordering: .releasing)
            guard let position = table.position(of: flight) else { return nil }
            return table.buckets[flight.bucket].remove(at: position).waiters
        }
        waiters?.publish(result)
    }

    /// Ends a flight whose response only the leader may use. Until the record expires, requests for the key do not wait
    /// for one another.
    ///
    /// - Parameters:
    ///   - flight: The flight.
    ///   - arrival: The instant at which the leader reached the cache.
    func endUnshared(_ flight: Flight?, at arrival: MonotonicInstant) {
        guard let flight else { return }
        let waiters: FlightWaiters? = table.withLock { table in
            ended.wrappingAdd(1, ordering: .releasing)
            guard let position = table.position(of: flight) else { return nil }
            table.unshared.record(table.buckets[flight.bucket][position].key.hash, at: arrival)
            return table.buckets[flight.bucket].remove(at: position).waiters
        }
        waiters?.publish(.unshared)
    }

    /// Records that a request could not use the response that it waited for.
    func recordUnshared(_ key: CacheKey, at arrival: MonotonicInstant) {
        table.withLock { $0.unshared.record(key.hash, at: arrival) }
    }

    /// The number of changes of resources so far.
    var changeCount: UInt64 { changed.load(ordering: .acquiring) }

    /// Records that a request has changed the resource of `key` (RFC 9111 §4.4). Later requests do not join a flight
    /// for it: they must get the representation after the change. Earlier followers keep the flight's result.
    func recordChange(of key: CacheKey) {
        table.withLock { table in
            let change = changed.wrappingAdd(1, ordering: .releasing).newValue
            table.record(change, of: key)
        }
    }

    /// Whether the resource of `key` may have changed since ``changeCount`` was read.
    func hasChange(of key: CacheKey, since count: UInt64) -> Bool {
        guard changeCount != count else { return false }
        return table.withLock { table in
            count < table.forgottenChange || table.changes[key.hash].map { $0 > count } ?? false
        }
    }

    /// Records that a response is being revalidated in the background; `false` if it already is.
    func beginRevalidation(_ key: CacheKey) -> Bool { table.withLock { $0.revalidations.insert(key).inserted } }

    /// Whether any response is being revalidated in the background.
    var isRevalidating: Bool { table.withLock { !$0.revalidations.isEmpty } }

    /// Ends a revalidation.
    func endRevalidation(_ key: CacheKey) { table.withLock { _ = $0.revalidations.remove(key) } }
}

extension CacheKey {
    fileprivate var bucket: Int { Int(truncatingIfNeeded: hash & UInt64(Flights.bucketCount - 1)) }
}
