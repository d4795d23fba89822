extension Task where Success == Void, Failure == Never {
    /// Starts a task that prefers `executor`, if there is one.
    ///
    /// A task whose preference is given as `nil` gets a record of no executor, which each executor switch looks up
    /// under a lock: 1,600 instructions for a request with a handler. `Task.immediate` cannot be called without one.
    package static func started(
        on executor: (any TaskExecutor)?,
        priority: TaskPriority? = nil,
        _ operation: sending @escaping @isolated(any) () async -> Void
    ) -> Task {
        guard let executor else { return Task(priority: priority, operation: operation) }
        return Task(executorPreference: executor, priority: priority, operation: operation)
    }
}
