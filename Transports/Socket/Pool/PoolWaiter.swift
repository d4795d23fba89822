internal import Synchronization

/// A request that waits for a connection.
///
/// A class, because the pool and the request share it.
final class PoolWaiter: Sendable {
    /// The pool's grant, until the request takes it.
    private let grant = Mutex<ConnectionPool.Grant?>(nil)
    private let slot = ReadySlot()
    /// The waiter's position among waiters of its priority.
    let number: UInt64
    /// The priority of the waiting task.
    let priority: TaskPriority

    init(number: UInt64, priority: TaskPriority) {
        self.number = number
        self.priority = priority
    }

    /// Returns whether this waiter is served before `other`.
    func precedes(_ other: PoolWaiter) -> Bool {
        priority == other.priority ? number < other.number : priority > other.priority
    }

    /// Stores a grant. The caller must then call ``rouse()``.
    func give(_ given: ConnectionPool.Grant) { grant.withLock { $0 = given } }

    /// Takes the grant, if there is one.
    func takeGrant() -> ConnectionPool.Grant? {
        grant.withLock { grant in
            defer { grant = nil }
            return grant
        }
    }

    /// Waits until ``rouse()`` is called.
    nonisolated(nonsending) func wait() async { await slot.wait() }

    /// Wakes the request, so that it checks its grant and its limits.
    func rouse() { slot.signal() }
}
