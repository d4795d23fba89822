internal import AirframeTransport

/// A time limit ran out.
struct TimeLimitError: Error {}

extension TransportClock {
    /// Runs `work` until `end` at most, and cancels it then.
    ///
    /// - Throws: ``TimeLimitError`` at `end`, `CancellationError` when the task is cancelled, and what `work` throws.
    func limited<Value: Sendable>(
        until end: MonotonicInstant?,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let end else { return try await work() }
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: work)
            group.addTask {
                try await sleep(until: end)
                throw TimeLimitError()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
