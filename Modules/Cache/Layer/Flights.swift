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
        /// The number of changes before the request was sent. No other request joins the flight after a change of its
        /// resource.
        let changeCount: UInt64
        var waiters: FlightWaiters?
    }

    private struct Table {
        var buckets = [[Entry]](repeating: [], count: Flights.bucketCount)
        var revalidations: Set<CacheKey> = []
        var unshared = UnsharedKeys()
        /// The number of flights that have begun.
        var beginCount: UInt64 = 0

        mutating func begin(_ key: CacheKey, _ changes: ResourceChanges) -> Flight {
            beginCount &+= 1
            let flight = Flight(bucket: key.bucket, number: beginCount)
            buckets[flight.bucket].append(Entry(key: key, number: flight.number, changeCount: changes.count))
            return flight
        }

        func position(of key: CacheKey, _ changes: ResourceChanges) -> Int? {
            buckets[key.bucket].firstIndex { $0.key == key && !changes.contains(key, since: $0.changeCount) }
        }

        func position(of flight: Flight) -> Int? {
            buckets[flight.bucket].firstIndex { $0.number == flight.number }
        }
    }

    fileprivate static let bucketCount = 64

    /// The changes of resources, in all layers with the same store.
    let changes: ResourceChanges
    // Guards the table.
    private let table = Mutex(Table())
    /// The number of flights that have ended. Written under the lock, and read without it.
    private let ended = Atomic<Int>(0)

    init(_ changes: ResourceChanges) { self.changes = changes }

    /// Joins the flight for `key`, or begins one.
    ///
    /// - Parameters:
    ///   - key: The request's key.
    ///   - arrival: The instant at which the request reached the cache.
    func join(_ key: CacheKey, at arrival: MonotonicInstant) -> Part {
        table.withLock { table in
            guard let position = table.position(of: key, changes) else { return .leader(table.begin(key, changes)) }
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
            guard self.endCount == endCount, table.position(of: key, changes) == nil else { return nil }
            return table.begin(key, changes)
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
