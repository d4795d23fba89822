internal import Synchronization

/// Marks the tasks of a trust evaluation, whose handshake occupies a connection of the pool while they run.
final class EvaluationScope: Sendable {
    /// The scope of the current task; `nil` outside of evaluations. Tasks that an evaluation starts inherit it.
    @TaskLocal static var current: EvaluationScope?

    // Not a reference: a task that outlives the evaluation need not keep the pool.
    private let pool: ObjectIdentifier
    private let isActive = Atomic(true)

    init(_ pool: ConnectionPool) { self.pool = ObjectIdentifier(pool) }

    /// Ends the scope, also for tasks that outlive the evaluation.
    func end() { isActive.store(false, ordering: .relaxed) }

    /// Returns whether an evaluation that runs now, and whose handshake has a connection of `pool`, waits for the
    /// current task.
    static func isActive(for pool: ConnectionPool) -> Bool {
        guard let current, current.pool == ObjectIdentifier(pool) else { return false }
        return current.isActive.load(ordering: .relaxed)
    }
}
