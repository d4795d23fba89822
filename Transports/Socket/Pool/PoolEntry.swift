internal import Synchronization

/// The connections of one key, and the requests that wait for one.
///
/// A class, so that an exchange finds its way back without looking the key up.
///
/// `@unchecked Sendable`: only ``ConnectionPool`` touches what changes, with its lock held.
final class PoolEntry: @unchecked Sendable {
    /// Whether connections with this server carry several exchanges at once, as far as is known.
    enum Multiplexing {
        /// Nothing: no handshake has ended, or the last one failed.
        case unknown
        /// One: the server chose HTTP/1.1.
        case no
        /// Several: the server chose HTTP/2.
        case yes
    }

    let key: PoolKey
    /// Sessions that handshakes with this server can resume.
    let sessions = SessionCache()
    /// The first head that a connection with this server brought.
    let heads = KnownHeads()
    /// Connections for one exchange at a time that wait for a request, the last used last. The pool's lock keeps
    /// accesses apart.
    @exclusivity(unchecked) var idle: [Connection] = []
    /// Connections that carry several exchanges at once and take new ones, used or not.
    @exclusivity(unchecked) var shared: [Connection] = []
    /// All connections, with those that are being opened, and those that take no new exchanges and have not ended.
    var connectionCount = 0
    /// Connections that are being opened.
    var openingCount = 0
    var multiplexing = Multiplexing.unknown
    /// Whether the last attempt to open a connection failed.
    var hasFailed = false
    /// Requests that wait, in their order.
    @exclusivity(unchecked) var waiters = WaiterQueue()

    init(_ key: PoolKey) { self.key = key }

    /// Whether nothing would be lost with the entry.
    var isEmpty: Bool { connectionCount == 0 && waiters.isEmpty && sessions.isEmpty && heads.isEmpty }

    /// Whether requests wait for a connection that is being opened, because it may carry them all.
    ///
    /// After a failure they do not: if they tried one after another, each would wait for the failures of those before
    /// it.
    var awaitsOpening: Bool { openingCount > 0 && multiplexing != .no && !hasFailed }

    /// A connection with room for another stream. The first one that has some, so that later ones become idle.
    var sharedWithRoom: Connection? {
        shared.first { $0.hasRoom }
    }
}

/// Requests by the priority of their tasks, and those of one priority in the order in which they came.
struct WaiterQueue {
    private var waiters: [PoolWaiter] = []
    private var start = 0

    var isEmpty: Bool { start == waiters.count }
    var first: PoolWaiter? { isEmpty ? nil : waiters[start] }

    mutating func insert(_ waiter: PoolWaiter) {
        // Nearly all have the same priority, and come last.
        let behind = waiters[start...].lastIndex { !waiter.precedes($0) }
        waiters.insert(waiter, at: behind.map { $0 + 1 } ?? start)
    }

    mutating func popFirst() -> PoolWaiter? {
        guard let first else { return nil }
        start += 1
        // Moving what is left down costs as much as has been taken: nothing, over the life of the queue.
        if start > 32, start * 2 > waiters.count {
            waiters.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Takes out a request that gives up. Returns whether it was there.
    mutating func remove(_ waiter: PoolWaiter) -> Bool {
        guard let index = waiters[start...].firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }
}
