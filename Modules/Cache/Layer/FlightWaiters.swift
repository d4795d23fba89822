internal import AirframeTransport
internal import Synchronization

/// The followers of a flight, until its result is known.
final class FlightWaiters: Sendable {
    private typealias Waiter = FirstAnswer<Result<Flight.FollowerResult, TransportError>>

    private struct Followers {
        var result: Flight.FollowerResult?
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
    }

    // Guards the result and the followers.
    private let followers = Mutex(Followers())

    /// Waits for the result.
    ///
    /// - Parameters:
    ///   - limits: The follower's limits; `nil` for none.
    ///   - start: The instant at which they begin.
    /// - Returns: The result; `.failed` with a cancellation when the waiting task is cancelled, and with a timeout when
    ///   the limit on the first byte elapses. The other request may still wait for a connection then, which that limit
    ///   does not concern, so the follower has to be sent by itself.
    /// - Throws: `TransportError.Code.timedOut` when the deadline passes first.
    func result(
        within limits: FollowerLimits?,
        since start: MonotonicInstant
    ) async throws(TransportError) -> Flight.FollowerResult {
        let id = followers.withLock { followers in
            followers.nextWaiter += 1
            return followers.nextWaiter
        }
        var timer: Task<Void, Never>?
        defer {
            timer?.cancel()
            followers.withLock { $0.waiters[id] = nil }
        }
        let answer: Result<Flight.FollowerResult, TransportError>
        do {
            answer = try await Waiter.wait { waiter in
                if let known = join(id, waiter) {
                    waiter.give(.success(.success(known)))
                } else if let limits {
                    timer = Self.timer(limits, since: start, of: waiter)
                }
            }
        } catch {
            return .failed(.cancelled(in: .layer, processing: .notSent))
        }
        return try answer.get()
    }

    /// Adds a follower, unless the result is known.
    private func join(_ id: UInt64, _ waiter: Waiter) -> Flight.FollowerResult? {
        followers.withLock { followers in
            if let result = followers.result { return result }
            followers.waiters[id] = waiter
            return nil
        }
    }

    /// Returns a task that ends a follower's wait when a limit elapses; `nil` if no limit applies.
    private static func timer(
        _ limits: FollowerLimits,
        since start: MonotonicInstant,
        of waiter: Waiter
    ) -> Task<Void, Never>? {
        guard let due = limits.due(.head, since: start) else { return nil }
        return Task {
            guard (try? await limits.clock.sleep(until: due)) != nil else { return }
            let error = limits.error(.head)
            waiter.give(.success(limits.isOver ? .failure(error) : .success(.failed(error))))
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
        for waiter in waiters { waiter.give(.success(.success(result))) }
    }
}
