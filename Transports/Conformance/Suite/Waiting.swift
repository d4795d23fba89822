internal import Synchronization

/// Waiting that always ends.
enum Waiting {
    /// The limit of most waits for one thing that must happen.
    static let usual = Duration.seconds(10)

    /// The factor for all limits of the current task. Below 1, an engine that does nothing fails soon.
    @TaskLocal static var scale = 1.0

    /// A limit as it applies to the current task. Waits of up to a second are not shortened: they tell whether
    /// something stands still, which a busy machine must not fake.
    static func scaled(_ limit: Duration) -> Duration {
        scale < 1 ? max(min(limit, .seconds(1)), limit * scale) : limit * scale
    }

    /// Returns when `condition` holds.
    ///
    /// The condition is looked at again and again: those whose state it is need not know that somebody waits.
    ///
    /// - Returns: Whether it held within `limit`, scaled by ``scale``, and before the task was cancelled.
    static func until(within limit: Duration, _ condition: @Sendable () async -> Bool) async -> Bool {
        let end = ContinuousClock.now + scaled(limit)
        while true {
            if await condition() { return true }
            guard ContinuousClock.now < end, !Task.isCancelled else { return await condition() }
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Runs `operation` for at most `limit`, scaled by ``scale``. After that the operation is cancelled, but not
    /// awaited, because it may ignore cancellation.
    static func bounded<Value: Sendable>(
        by limit: Duration,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let limit = scaled(limit)
        let first = FirstResult<Value>()
        let runner = Task {
            do {
                first.finish(.success(try await operation()))
            } catch {
                first.finish(.failure(error))
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            first.finish(.failure(Overdue(limit: limit)))
            runner.cancel()
        }
        defer { timer.cancel() }
        return try await first.result().get()
    }
}

/// The error of an operation that exceeded its limit.
struct Overdue: Error, CustomStringConvertible {
    let limit: Duration
    var description: String { "did not end within \(limit)" }
}

/// The first of several results, for one waiting task.
private final class FirstResult<Value: Sendable>: Sendable {
    private struct ResultState {
        var result: Result<Value, any Error>?
        var waiter: CheckedContinuation<Result<Value, any Error>, Never>?
    }

    // Guards the result and the waiter. No waiter is resumed while it is held.
    private let state = Mutex(ResultState())

    func finish(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<Value, any Error>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    func result() async -> Result<Value, any Error> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
