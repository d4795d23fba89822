internal import Synchronization

/// The connections of one key, and the requests that wait for one.
///
/// A class, so that a connection returns to its entry without a lookup of the key.
///
/// `@unchecked Sendable`: only ``ConnectionPool`` accesses the variables, with its lock held.
final class PoolEntry: @unchecked Sendable {
    /// Whether connections with this server carry several concurrent exchanges.
    enum Multiplexing {
        /// Not known: no handshake has finished, or the last one failed.
        case unknown
        /// One exchange at a time: the server chose HTTP/1.1, or the requests allow nothing else.
        case no
        /// Several concurrent exchanges: the server chose HTTP/2.
        case yes
    }

    let key: PoolKey
    /// TLS sessions that handshakes with this server can resume.
    let sessions = SessionCache()
    /// The first response head that was received from this server.
    let heads = KnownHeads()
    /// Idle connections that carry one exchange at a time, the most recently used last. The pool's lock keeps accesses
    /// from overlapping.
    @exclusivity(unchecked) var idle: [Connection] = []
    /// Connections that carry several concurrent exchanges and accept new ones, idle or not.
    @exclusivity(unchecked) var shared: [Connection] = []
    /// The number of connections, including those that are being opened and retired ones that are not closed yet.
    var connectionCount = 0
    /// The number of connections that are being opened.
    var openingCount = 0
    var multiplexing = Multiplexing.unknown
    /// The number of streams that the server allows on a connection, as it last said; 100 until it does
    /// (RFC 9113 §6.5.2). A new connection opens no more before the server's SETTINGS arrive.
    let knownStreamLimit = Atomic(PoolEntry.usualStreamLimit)
    /// Whether the last attempt to open a connection failed.
    var hasFailed = false
    /// Waiting requests, in the order in which they are served.
    @exclusivity(unchecked) var waiters = WaiterQueue()

    init(_ key: PoolKey) { self.key = key }

    /// The number of streams to open on a new connection.
    var streamLimit: Int { knownStreamLimit.load(ordering: .relaxed) }

    private static let usualStreamLimit = 100

    /// Whether the entry holds nothing that is worth keeping.
    var isEmpty: Bool {
        connectionCount == 0 && waiters.isEmpty && sessions.isEmpty && heads.isEmpty
            && streamLimit >= Self.usualStreamLimit
    }

    /// Whether requests wait for a connection that is being opened, because it may carry all of them.
    ///
    /// After a failure they do not wait: if they connected one after another, each would wait for all earlier failures.
    var awaitsOpening: Bool { openingCount > 0 && multiplexing != .no && !hasFailed }

    /// The first connection with room for another stream. Choosing the first lets later ones become idle.
    var sharedWithRoom: Connection? {
        shared.first { $0.hasRoom }
    }
}

/// A queue of requests, ordered by the priority of their tasks, then by arrival.
struct WaiterQueue {
    private var waiters: [PoolWaiter] = []
    private var start = 0

    var isEmpty: Bool { start == waiters.count }
    var first: PoolWaiter? { isEmpty ? nil : waiters[start] }

    mutating func insert(_ waiter: PoolWaiter) {
        // Search from the end: nearly all waiters have the same priority and belong there.
        let behind = waiters[start...].lastIndex { !waiter.precedes($0) }
        waiters.insert(waiter, at: behind.map { $0 + 1 } ?? start)
    }

    mutating func popFirst() -> PoolWaiter? {
        guard let first else { return nil }
        start += 1
        // Removing when half of the array is used up makes the cost of a removal constant on average.
        if start > 32, start * 2 > waiters.count {
            waiters.removeFirst(start)
            start = 0
        }
        return first
    }

    /// Removes a cancelled request. Returns whether it was in the queue.
    mutating func remove(_ waiter: PoolWaiter) -> Bool {
        guard let index = waiters[start...].firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }
}
