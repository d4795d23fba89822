internal import Synchronization

/// A request that waits for a connection.
///
/// A class, because the pool and the request meet in it.
final class PoolWaiter: Sendable {
    /// What the pool has given to the request, and the request has not taken yet.
    private let grant = Mutex<ConnectionPool.Grant?>(nil)
    private let slot = ReadySlot()
    /// Its place among all that wait at its priority.
    let number: UInt64
    /// The priority of its task.
    let priority: TaskPriority

    init(number: UInt64, priority: TaskPriority) {
        self.number = number
        self.priority = priority
    }

    /// Whether it is served before `other`.
    func precedes(_ other: PoolWaiter) -> Bool {
        priority == other.priority ? number < other.number : priority > other.priority
    }

    /// Leaves here what the request waits for. It has to be roused to find it.
    func give(_ given: ConnectionPool.Grant) { grant.withLock { $0 = given } }

    /// Takes what the pool has given.
    func takeGrant() -> ConnectionPool.Grant? {
        grant.withLock { grant in
            defer { grant = nil }
            return grant
        }
    }

    /// Returns when there may be a grant, or ``rouse()`` was called.
    nonisolated(nonsending) func wait() async { await slot.wait() }

    /// Has the request look at what it was given, and at its limits.
    func rouse() { slot.signal() }
}
