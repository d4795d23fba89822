internal import AirframeTransport
internal import Synchronization

/// The requests that are on their way to the server for responses that others may share.
final class Flights: Sendable {
    /// A request's part in a flight.
    enum Part {
        /// It sends the request.
        case leader(Flight)
        /// It waits for the response of the one that does.
        case follower(Flight)
    }

    private struct State {
        var flights: [CacheKey: Flight] = [:]
        var revalidations: Set<CacheKey> = []
        /// How many flights have ended.
        var endCount = 0
    }

    // Guards both tables.
    private let state = Mutex(State())

    /// Joins the flight for `key`, or begins one.
    func join(_ key: CacheKey) -> Part {
        state.withLock { state in
            if let flight = state.flights[key] { return .follower(flight) }
            let flight = Flight(key)
            state.flights[key] = flight
            return .leader(flight)
        }
    }

    /// How many flights have ended.
    var endCount: Int { state.withLock { $0.endCount } }

    /// Begins a flight for `key`; `nil` when there is one, or when one has ended since `endCount` was read: its response
    /// may be in the store by now.
    func begin(_ key: CacheKey, since endCount: Int) -> Flight? {
        let flight = Flight(key)
        let isNew = state.withLock { state in
            guard state.endCount == endCount else { return false }
            // One look-up for both questions.
            return Self.fill(&state.flights[key], with: flight)
        }
        return isNew ? flight : nil
    }

    private static func fill(_ place: inout Flight?, with flight: Flight) -> Bool {
        guard place == nil else { return false }
        place = flight
        return true
    }

    /// Ends a flight: its followers get the outcome, and later requests begin another.
    func end(_ flight: Flight?, _ outcome: Flight.Outcome) {
        guard let flight else { return }
        state.withLock { state in
            state.endCount &+= 1
            guard let index = state.flights.index(forKey: flight.key), state.flights.values[index] === flight else {
                return
            }
            state.flights.remove(at: index)
        }
        flight.publish(outcome)
    }

    /// Notes that a response is revalidated in the background; `false` when it already is.
    func beginRevalidation(_ key: CacheKey) -> Bool { state.withLock { $0.revalidations.insert(key).inserted } }

    /// Whether any response is revalidated in the background.
    var isRevalidating: Bool { state.withLock { !$0.revalidations.isEmpty } }

    /// Ends a revalidation.
    func endRevalidation(_ key: CacheKey) { state.withLock { _ = $0.revalidations.remove(key) } }
}

/// One request on its way to the server, and the requests that wait for its response.
final class Flight: Sendable {
    /// What a flight has brought.
    indirect enum Outcome: Sendable {
        /// A response that is being read and stored.
        case shared(SharedBody)
        /// A response that is in the store.
        case stored
        /// A stored response that the server has confirmed, or that stands in for an error of the server; with the
        /// reason to serve it.
        case validated(CacheEntry, reason: String)
        /// A response that is for one request alone.
        case unshared
        /// The request failed.
        case failed(TransportError)
    }

    private struct State {
        var outcome: Outcome?
        var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    let key: CacheKey
    // Guards the outcome and the continuations of the followers.
    private let state = Mutex(State())

    init(_ key: CacheKey) { self.key = key }

    /// Waits for the outcome; `.failed` with a cancellation when the waiting task is cancelled.
    func outcome() async -> Outcome {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Outcome? = state.withLock { state in
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

    /// Gives the outcome to all followers. A response that was shared becomes one that is stored.
    func publish(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    private static var cancelled: Outcome { .failed(.cancelled(in: .layer, processing: .notSent)) }
}
