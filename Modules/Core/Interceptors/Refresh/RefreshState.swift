internal import AirframeTransport

/// The state machine of an ``AuthenticationInterceptor``: the credential and the progress of its refresh, without locks
/// and calls.
struct RefreshState<Credential: Sendable>: Sendable {
    /// A request that waits for the end of a refresh.
    struct Waiter: Sendable {
        let end: @Sendable (RefreshResult) -> Void
    }

    /// The end of a refresh, as reported to waiters.
    enum RefreshResult: Sendable {
        /// The credential has changed, or has been removed.
        case changed
        /// The refresh failed with this error.
        case failed(any Error)
    }

    /// The result of ``wait(_:since:at:within:)``.
    enum Step: Sendable {
        /// The credential has changed already.
        case changed
        /// The request waits for the refresh that is under way.
        case joined
        /// The request waits for a refresh of this credential, which the caller must begin.
        case begun(Credential)
        /// The limit on refreshes is reached.
        case excessive
    }

    private enum Phase: Sendable {
        case settled
        case refreshing(generation: Int, waiters: [Waiter])
    }

    private(set) var credential: Credential?
    /// A counter of the credential's changes.
    private(set) var generation = 0
    private var phase = Phase.settled
    private var instants: [MonotonicInstant] = []

    init(credential: Credential?) { self.credential = credential }

    mutating func replaceCredential(by new: Credential?) {
        credential = new
        generation += 1
    }

    /// Adds a waiter to the refresh that is under way. Returns `false` if there is none.
    mutating func join(_ waiter: Waiter) -> Bool {
        guard case .refreshing(let generation, var waiters) = phase else { return false }
        // Releases the array, which would be copied for each waiter otherwise.
        phase = .settled
        waiters.append(waiter)
        phase = .refreshing(generation: generation, waiters: waiters)
        return true
    }

    /// Adds a waiter to the refresh that is under way, or to one that the caller has to begin.
    mutating func wait(
        _ waiter: Waiter,
        since known: Int,
        at now: MonotonicInstant,
        within limits: RefreshLimits?
    ) -> Step {
        if join(waiter) { return .joined }
        guard known == generation, let credential else { return .changed }
        if let limits {
            instants.removeAll { limits.isOver($0, at: now) }
            guard instants.count < limits.maximumAttempts else { return .excessive }
            instants.append(now)
        }
        phase = .refreshing(generation: generation, waiters: [waiter])
        return .begun(credential)
    }

    mutating func finishRefresh(with result: Result<Credential, any Error>) -> ([Waiter], RefreshResult) {
        guard case .refreshing(let begun, let waiters) = phase else { return ([], .changed) }
        phase = .settled
        // A credential that was set meanwhile is newer than the refresh.
        guard begun == generation else { return (waiters, .changed) }
        switch result {
        case .success(let refreshed):
            replaceCredential(by: refreshed)
            return (waiters, .changed)
        case .failure(let error): return (waiters, .failed(error))
        }
    }
}

/// The maximum number of refreshes within a time.
struct RefreshLimits: Sendable {
    /// The time; `nil` for the lifetime of the interceptor.
    let interval: Duration?
    let maximumAttempts: Int

    /// Whether a refresh at `instant` no longer counts.
    func isOver(_ instant: MonotonicInstant, at now: MonotonicInstant) -> Bool {
        interval.map { instant.duration(to: now) > $0 } ?? false
    }
}
