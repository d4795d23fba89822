internal import Synchronization

/// Limits the wait for work that may ignore cancellation.
///
/// The work runs in a task of its own. A result that arrives after the caller has returned is dropped.
enum WithTimeout {
    enum Failure: Error {
        case cancelled
        case timeUp
        case failed(any Error)
    }

    private enum WorkState<Value: Sendable> {
        case running
        case finished(Result<Value, Failure>)
    }

    private final class Meeting<Value: Sendable>: Sendable {
        // Guards the result.
        let state = Mutex<WorkState<Value>>(.running)
        let slot = ReadySlot()

        /// Stores the first result. Later results are ignored.
        func finish(_ result: Result<Value, Failure>) {
            state.withLock { state in
                if case .running = state { state = .finished(result) }
            }
            slot.signal()
        }

        var result: Result<Value, Failure>? {
            state.withLock { state in
                if case .finished(let result) = state { result } else { nil }
            }
        }
    }

    /// Returns the result of `work`, unless `due` passes or the calling task is cancelled first.
    static func run<Value: Sendable>(
        until due: Int64,
        on reactor: Reactor,
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, Failure> {
        let meeting = Meeting<Value>()
        let alarm = due == .max ? nil : reactor.makeAlarm { meeting.finish(.failure(.timeUp)) }
        alarm?.set(due)
        defer { alarm?.cancel() }
        let task = Task {
            do {
                meeting.finish(.success(try await work()))
            } catch {
                meeting.finish(.failure(.failed(error)))
            }
        }
        defer { task.cancel() }
        while true {
            await withTaskCancellationHandler {
                await meeting.slot.wait()
            } onCancel: {
                meeting.finish(.failure(.cancelled))
            }
            if let result = meeting.result { return result }
        }
    }
}
