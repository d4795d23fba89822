internal import AirframeTransport
internal import Synchronization

/// The instant at which a limit is exceeded, and the message of its error.
struct Limit: Sendable {
    let instant: MonotonicInstant
    let message: String

    init(instant: MonotonicInstant, message: String) {
        self.instant = instant
        self.message = message
    }

    init?(_ duration: Duration?, from start: MonotonicInstant, _ name: String) {
        guard let duration else { return nil }
        instant = start.advanced(by: duration)
        message = "\(name), \(duration), ran out"
    }
}

extension Exchange {
    // MARK: Limits

    var deadline: Limit? {
        guard let instant = request.deadline else { return nil }
        let duration = request.options.deadline ?? start.duration(to: instant)
        return Limit(instant: instant, message: "the deadline of \(duration) elapsed")
    }

    /// Returns a limit of the request that starts now, or at `start`.
    func limit(
        _ limit: any KeyPath<PhaseLimits, Duration?> & Sendable,
        from start: MonotonicInstant? = nil,
        _ name: String
    ) -> Limit? {
        Limit(request.options.limits[keyPath: limit], from: start ?? clock.now, name)
    }

    private func first(_ limit: Limit?) -> Limit? {
        guard let limit, let deadline else { return limit ?? self.deadline }
        return limit.instant <= deadline.instant ? limit : deadline
    }

    // MARK: Phases

    /// Enters `phase`: waits for its delay and applies its fault.
    func enter(_ phase: TransportPhase, _ script: Script, _ limit: Limit? = nil) async throws(TransportError) {
        progress.withLock { $0.phase = phase }
        try checkpoint()
        if let delay = script.delays[phase], delay > .zero { try await pause(for: delay, limit) }
        guard let fault = script.plan.fault, fault.phase == phase, fault.byteCount == 0 else { return }
        switch fault.kind {
        case .failure(let code, let message, let words): throw error(code, message, libraryMessage: words)
        case .stall where phase != .requestBody && phase != .responseBody: try await pause(until: nil, limit)
        case .stall, .reset, .close, .certificates, .clientIdentity: break
        }
    }

    /// Throws if the exchange was cancelled or its deadline has passed.
    func checkpoint() throws(TransportError) {
        if Task.isCancelled || progress.withLock({ $0.isCancelled }) { throw cancellation() }
        if let deadline, deadline.instant < clock.now { throw error(.timedOut, deadline.message) }
    }

    // MARK: Waiting

    func pause(for duration: Duration, _ limit: Limit?) async throws(TransportError) {
        try await pause(until: clock.now.advanced(by: duration), limit)
    }

    /// Waits for an instant; `nil` waits without end.
    ///
    /// - Parameters:
    ///   - instant: The instant to resume at.
    ///   - limit: A limit that may be exceeded first. The deadline applies as well.
    ///   - waiter: The number by which another task may signal; the function then returns before the instant.
    ///   - isRunning: Whether the user's code runs meanwhile, and will signal.
    func pause(
        until instant: MonotonicInstant?,
        _ limit: Limit?,
        waiter: WaiterID? = nil,
        isRunning: Bool = false
    ) async throws(TransportError) {
        let first = first(limit)
        let due = instant ?? .distantFuture
        let runsOut = first.map { $0.instant < due } ?? false
        switch await wait(until: runsOut ? first?.instant : instant, waiter, isRunning) {
        case .signal: return
        case .cancelled: throw cancellation()
        case .deadline: if runsOut, let first { throw error(.timedOut, first.message) }
        }
    }

    private func wait(
        until instant: MonotonicInstant?,
        _ announced: WaiterID?,
        _ isRunning: Bool
    ) async -> VirtualClock.Wake {
        let waiter = announced ?? clock.announceWaiter()
        let (isCancelled, activity) = progress.withLock { progress in
            progress.waiter = waiter
            return (progress.isCancelled, progress.activity)
        }
        defer { progress.withLock { $0.waiter = nil } }
        if isCancelled { clock.signal(waiter, .cancelled) }
        return await clock.wait(waiter, until: instant, isLimit: isRunning, in: activity?.id)
    }

    /// Runs the user's code until it returns, or until `limit`, the deadline or cancellation ends the wait and cancels
    /// its task.
    func run<Value: Sendable>(
        _ limit: Limit? = nil,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws(TransportError) -> Result<Value, any Error> {
        let waiter = clock.announceWaiter()
        let activity = userActivity
        clock.begin(activity, within: progress.withLock { $0.activity })
        let result = UserCodeResult<Value>()
        let task = Task.immediate { [clock] in
            await Activity.$current.withValue(activity) {
                do {
                    result.set(.success(try await work()))
                } catch {
                    result.set(.failure(error))
                }
            }
            clock.rest(activity, signalling: waiter)
        }
        do throws(TransportError) {
            try await pause(until: nil, limit, waiter: waiter, isRunning: true)
        } catch {
            task.cancel()
            throw error
        }
        return result.value ?? .failure(CancellationError())
    }
}

extension Exchange {
    /// The activity of the user's code. An exchange has one, because a task that a closure has started may continue to
    /// feed the stream that the closure returned.
    private var userActivity: Activity {
        progress.withLock { progress in
            let activity = progress.userActivity ?? clock.makeActivity()
            progress.userActivity = activity
            return activity
        }
    }

    /// Calls code of the user's that does not wait but may start tasks that do.
    func call<Value>(_ work: () -> Value) -> Value {
        Activity.$current.withValue(userActivity, operation: work)
    }
}

/// The result of the user's code, which runs in a separate task.
private final class UserCodeResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    var value: Result<Value, any Error>? { result.withLock { $0 } }

    func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}
