internal import Synchronization

/// The tasks that an engine's last poll has resumed, which wait in the queue of Swift's pool.
///
/// A class, because the process has one instance, which all threads share.
package final class ResumedTasks: Sendable {
    /// Those of the process's pool.
    package static let shared = ResumedTasks()

    /// The number from which tasks are many.
    package static let crowd = 3

    private let many = Atomic(false)

    package init() {}

    /// Whether they are so many that new work should join the queue behind them.
    ///
    /// Tasks that do the same step one after another find its code in the processor's cache. A task that continues with
    /// the next step replaces that code (`Docs/Decisions/0131-crowded-requests-start-in-the-queue.md`).
    package var areMany: Bool { many.load(ordering: .relaxed) }

    /// Whether those of the process's pool are many. A static property, because another module would retain ``shared``
    /// to read it.
    package static var areManyInPool: Bool { shared.areMany }

    /// Records the number of tasks that a poll has resumed. Stores only on a change, so that cores do not contend for
    /// the cache line.
    package func note(count: Int) {
        let areMany = count >= Self.crowd
        if many.load(ordering: .relaxed) != areMany { many.store(areMany, ordering: .relaxed) }
    }
}
