internal import AirframeTransport
internal import Synchronization

/// The time that a transfer has waited for the peer in the current period, and the bytes transferred in it.
struct MinimumRateAccount {
    let minimum: TransferRates.Minimum
    private var waited = Duration.zero
    private var transferred = 0
    /// The start of the current wait, or of the period that began within it.
    private var start: MonotonicInstant?

    init(_ minimum: TransferRates.Minimum) { self.minimum = minimum }

    /// The time until the current period ends, if the transfer waits throughout.
    var remaining: Duration { max(minimum.period - waited, .zero) }

    mutating func beginWait(at now: MonotonicInstant) { start = now }

    /// Ends a wait.
    ///
    /// - Parameter count: The bytes that the wait was for.
    /// - Returns: Whether the transfer keeps up the minimum.
    mutating func endWait(at now: MonotonicInstant, transferred count: Int) -> Bool {
        waited += start.map { $0.duration(to: now) } ?? .zero
        start = nil
        transferred += count
        return waited < minimum.period || endPeriod()
    }

    /// Ends a period in the middle of a wait.
    ///
    /// - Returns: Whether the transfer keeps up the minimum.
    mutating func endPeriod(at now: MonotonicInstant) -> Bool {
        start = now
        return endPeriod()
    }

    private mutating func endPeriod() -> Bool {
        guard Double(transferred) >= minimum.required else { return false }
        (waited, transferred) = (.zero, 0)
        return true
    }
}

/// Aborts a transfer whose peer is slower than a minimum rate.
///
/// Only waits for the peer count: the caller may take or produce content as slowly as it likes.
final class MinimumRateWatch: Sendable {
    private struct WatchState {
        var account: MinimumRateAccount
        /// Waits for the end of the period.
        var timer: Task<Void, Never>?
        var isTooSlow = false
    }

    private let minimum: TransferRates.Minimum
    private let origin: Origin?
    private let clock: any TransportClock
    private let abort: @Sendable () -> Void
    // Guards the account and the timer; nothing is called while it is held.
    private let state: Mutex<WatchState>

    /// - Parameters:
    ///   - origin: The peer, for the error.
    ///   - abort: Called once, if the transfer is too slow while it waits.
    init(
        _ minimum: TransferRates.Minimum,
        origin: Origin?,
        clock: any TransportClock,
        abort: @escaping @Sendable () -> Void
    ) {
        self.minimum = minimum
        self.origin = origin
        self.clock = clock
        self.abort = abort
        state = Mutex(WatchState(account: MinimumRateAccount(minimum)))
    }

    /// Whether the transfer was too slow.
    var isTooSlow: Bool { state.withLock { $0.isTooSlow } }

    /// Begins a wait for the peer.
    func beginWait() {
        let now = clock.now
        let timer = Task { [self] in await abortIfTooSlow() }
        let previous = state.withLock { state in
            state.account.beginWait(at: now)
            defer { state.timer = timer }
            return state.timer
        }
        previous?.cancel()
    }

    /// Ends a wait.
    ///
    /// - Parameter count: The bytes that the wait was for.
    /// - Returns: Whether the transfer keeps up the minimum.
    func endWait(transferred count: Int) -> Bool {
        let now = clock.now
        let (timer, isFastEnough) = state.withLock { state in
            let isFastEnough = state.account.endWait(at: now, transferred: count) && !state.isTooSlow
            if !isFastEnough { state.isTooSlow = true }
            return (state.timer.take(), isFastEnough)
        }
        timer?.cancel()
        return isFastEnough
    }

    /// Stops watching: the transfer has ended.
    func stop() { state.withLock { $0.timer.take() }?.cancel() }

    private func abortIfTooSlow() async {
        while true {
            let remaining = state.withLock { $0.account.remaining }
            guard (try? await clock.sleep(for: remaining)) != nil, !Task.isCancelled else { return }
            let now = clock.now
            let isTooSlow = state.withLock { state in
                // A timer that was replaced or stopped while it fired has nothing to measure.
                guard !Task.isCancelled else { return false }
                if !state.account.endPeriod(at: now) { state.isTooSlow = true }
                return state.isTooSlow
            }
            if isTooSlow { return abort() }
        }
    }

    /// The error of a transfer that was too slow.
    ///
    /// - Parameters:
    ///   - phase: The phase of the exchange.
    ///   - transfer: What was slow: "the response arrived".
    func failure(in phase: TransportPhase, _ transfer: String) -> TransportError {
        TransportError(
            .timedOut,
            phase: phase,
            processing: .unknown,
            message: "\(transfer) at less than \(minimum.bytesPerSecond) bytes/s for \(minimum.period)",
            origin: origin
        )
    }
}
