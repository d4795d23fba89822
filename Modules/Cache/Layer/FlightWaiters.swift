internal import AirframeTransport
internal import Synchronization

/// The followers of a flight, until its result is known.
final class FlightWaiters: Sendable {
    private struct Followers {
        var result: Flight.FollowerResult?
        var waiters: [UInt64: CheckedContinuation<Flight.FollowerResult, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    // Guards the result and the continuations of the followers.
    private let followers = Mutex(Followers())

    /// Waits for the result; `.failed` with a cancellation when the waiting task is cancelled.
    func result() async -> Flight.FollowerResult {
        let id = followers.withLock { followers in
            followers.nextWaiter += 1
            return followers.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Flight.FollowerResult? = followers.withLock { followers in
                    if let result = followers.result { return result }
                    if Task.isCancelled { return Self.cancelled }
                    followers.waiters[id] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiter = followers.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume(returning: Self.cancelled)
        }
    }

    /// Resumes all followers with the result. A later result replaces it for requests that join later: a shared
    /// response becomes a stored one.
    func publish(_ result: Flight.FollowerResult) {
        let waiters = followers.withLock { followers in
            followers.result = result
            defer { followers.waiters = [:] }
            return followers.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    private static var cancelled: Flight.FollowerResult { .failed(.cancelled(in: .layer, processing: .notSent)) }
}
