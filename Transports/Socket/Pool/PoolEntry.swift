internal import Synchronization

/// The connections of one key, and the requests that wait for one.
///
/// A class, so that an exchange finds its way back without looking the key up. Guarded by the pool's lock.
///
/// `@unchecked Sendable`: only ``ConnectionPool`` touches it, with its lock held.
final class PoolEntry: @unchecked Sendable {
    let key: PoolKey
    /// Sessions that handshakes with this server can resume.
    let sessions = SessionCache()
    /// The first head that a connection with this server brought, which the next one's is compared with. Guarded by its lock.
    let heads = Mutex(HTTP1FieldMemory())
    /// Connections that wait for a request, the last used last. The pool's lock keeps accesses apart.
    @exclusivity(unchecked) var idle: [Connection] = []
    /// All connections, with those that are being made.
    var connectionCount = 0
    /// Requests that wait, in their order.
    var waiters = WaiterQueue()

    init(_ key: PoolKey) { self.key = key }

    /// Whether nothing would be lost with the entry.
    var isEmpty: Bool { connectionCount == 0 && waiters.isEmpty && sessions.isEmpty && heads.withLock { $0.isEmpty } }
}

/// Requests in the order in which they came.
struct WaiterQueue {
    private var waiters: [PoolWaiter] = []
    private var start = 0

    var isEmpty: Bool { start == waiters.count }
    var first: PoolWaiter? { isEmpty ? nil : waiters[start] }

    mutating func append(_ waiter: PoolWaiter) { waiters.append(waiter) }

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
