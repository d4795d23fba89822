/// A task whose type says that it may throw, whether it does or not.
///
/// The runtime's tasks can throw. `Task<Void, Never>` wraps its operation in a closure that does, which takes one
/// allocation and two asynchronous frames per task.
package typealias ThrowingTask = Task<Void, any Error>

extension ThrowingTask {
    /// Starts a task that prefers `executor`, if there is one.
    ///
    /// A task whose preference is given as `nil` gets a record of no executor, which each executor switch looks up
    /// under a lock: 1,600 instructions for a request with a handler. `Task.immediate` cannot be called without one.
    package static func started(
        on executor: (any TaskExecutor)?,
        priority: TaskPriority? = nil,
        _ operation: sending @escaping @isolated(any) () async throws -> Void
    ) -> ThrowingTask {
        guard let executor else { return ThrowingTask(priority: priority, operation: operation) }
        return ThrowingTask(executorPreference: executor, priority: priority, operation: operation)
    }
}
