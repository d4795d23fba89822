internal import AirframeTransport

/// The credential of an ``AuthenticationInterceptor``, and whether it is being refreshed: the state machine beneath it,
/// without locks and calls.
struct RefreshState<Credential: Sendable>: Sendable {
    /// A request that waits for the refresh to end.
    struct Waiter: Sendable {
        let end: @Sendable (Outcome) -> Void
    }

    /// How a refresh ended, for those who waited.
    enum Outcome: Sendable {
        /// There is another credential, or none any more.
        case changed
        /// There is no new credential, and this is why.
        case failed(any Error)
    }

    /// What became of the wish to wait.
    enum Step: Sendable {
        /// The credential has changed meanwhile.
        case changed
        /// It waits for the refresh that runs.
        case joined
        /// It waits for a refresh of this credential, which the caller must begin.
        case begun(Credential)
        /// There were too many refreshes lately.
        case excessive
    }

    private enum Phase: Sendable {
        case settled
        case refreshing(generation: Int, waiters: [Waiter])
    }

    private(set) var credential: Credential?
    /// Grows with each change of the credential.
    private(set) var generation = 0
    private var phase = Phase.settled
    private var instants: [MonotonicInstant] = []

    init(credential: Credential?) { self.credential = credential }

    mutating func replaceCredential(by new: Credential?) {
        credential = new
        generation += 1
    }

    /// Waits for the refresh that runs; `false` when none does.
    mutating func join(_ waiter: Waiter) -> Bool {
        guard case .refreshing(let generation, var waiters) = phase else { return false }
        // Only one owner may be left, or each waiter that joins would copy all others.
        phase = .settled
        waiters.append(waiter)
        phase = .refreshing(generation: generation, waiters: waiters)
        return true
    }

    /// Waits for the refresh that runs, or for one that the caller has to begin.
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

    mutating func finishRefresh(with result: Result<Credential, any Error>) -> ([Waiter], Outcome) {
        guard case .refreshing(let begun, let waiters) = phase else { return ([], .changed) }
        phase = .settled
        // What somebody set meanwhile is newer than what the refresh was asked for.
        guard begun == generation else { return (waiters, .changed) }
        switch result {
        case .success(let refreshed):
            replaceCredential(by: refreshed)
            return (waiters, .changed)
        case .failure(let error): return (waiters, .failed(error))
        }
    }
}

/// How many refreshes there may be in which time.
struct RefreshLimits: Sendable {
    /// `nil` for all time.
    let interval: Duration?
    let maximumAttempts: Int

    /// Whether a refresh at `instant` does not count any more.
    func isOver(_ instant: MonotonicInstant, at now: MonotonicInstant) -> Bool {
        interval.map { instant.duration(to: now) > $0 } ?? false
    }
}
