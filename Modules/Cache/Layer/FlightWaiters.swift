internal import AirframeTransport
internal import Synchronization

/// The followers of a flight, until its outcome is known.
final class FlightWaiters: Sendable {
    private struct State {
        var outcome: Flight.Outcome?
        var waiters: [UInt64: CheckedContinuation<Flight.Outcome, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    // Guards the outcome and the continuations of the followers.
    private let state = Mutex(State())

    /// Waits for the outcome; `.failed` with a cancellation when the waiting task is cancelled.
    func outcome() async -> Flight.Outcome {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Flight.Outcome? = state.withLock { state in
                    if let outcome = state.outcome { return outcome }
                    if Task.isCancelled { return Self.cancelled }
                    state.waiters[id] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume(returning: Self.cancelled)
        }
    }

    /// Resumes all followers with the outcome. A later outcome replaces it for requests that join later: a shared
    /// response becomes a stored one.
    func publish(_ outcome: Flight.Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    private static var cancelled: Flight.Outcome { .failed(.cancelled(in: .layer, processing: .notSent)) }
}
