public import AirframeTransport
public import FoundationEssentials
internal import Synchronization

/// A clock whose time passes when it is told to, or when nothing else is left to do.
///
/// A test of backoff, timeouts or expiry on this clock takes no real time. Each clock is on its own: tests that run at
/// once share nothing.
///
/// **Automatic** (the default). Time jumps to the earliest deadline that somebody sleeps for as soon as
///
/// 1. somebody sleeps,
/// 2. nothing is *at work*: every exchange of a ``MockTransport`` on this clock that is under way sleeps too, or stalls
///    without a limit, and no closure of a route, body stream, request body or trust evaluation runs (one that sleeps
///    on this clock, itself or in a task that it started, does not count as running),
/// 3. and the clock has been *quiet*: since the last call from outside the executor has turned over, ``patience`` of real
///    time has passed, and the threads of the process have come to rest. A thread that is ready to run and gets no
///    processor is waited for, so that a busy machine changes nothing. One that runs on and on is waited for until it has
///    had ``patience`` of processor time; twenty times that if a task that was handed a response, an error or the end of its
///    sleep has not come back yet, because it may be about to sleep itself, as a session does before a retry.
///    (Where the system does not tell what threads do, that much real time is waited.)
///
/// Sleepers are woken one at a time, in the order of their deadlines and, when those are equal, in the order in which
/// they fell asleep; the next one is woken when the clock is quiet again. So what happens at one instant happens in one
/// order.
///
/// A closure may wait for something that only a sleeper brings about: another exchange, a task of the test's. So when
/// one has been at work for a quarter of a second of real time in which nothing else happened, while somebody sleeps
/// for another reason than to limit it, time goes on all the same.
///
/// The clock cannot see what a test does elsewhere. Where a test starts several things that must begin at the same
/// instant, or acts while something sleeps, it says so with `hold(_:)`, or uses a manual clock.
///
/// **Manual**. Time stands still until ``advance(by:)`` or ``advanceToNextDeadline()``.
public final class VirtualClock: TransportClock {
    /// How time passes.
    public enum Advance: Sendable, Hashable {
        /// It jumps to the next deadline when nothing is left to do.
        case automatic
        /// It stands still until it is moved.
        case manual
    }

    /// How time passes.
    public let advance: Advance

    /// How long, in real time, the clock must have been quiet before it jumps.
    public let patience: Duration

    /// The calendar date at which the clock starts.
    public let startDate: Date

    // Guards time, sleepers and those at work. Nobody is woken while it is held.
    let state: Mutex<ClockState>

    /// Makes a clock that stands at its start.
    ///
    /// - Parameters:
    ///   - advance: How time passes.
    ///   - startDate: The calendar date at which the clock starts; by default the first second of 2026, UTC.
    ///   - patience: How long, in real time, the clock must have been quiet before it jumps. More makes tests whose own
    ///     work takes long between requests exact, and all of them slower.
    public init(
        _ advance: Advance = .automatic,
        startingAt startDate: Date = Date(timeIntervalSince1970: 1_767_225_600),
        patience: Duration = .microseconds(500)
    ) {
        self.advance = advance
        self.startDate = startDate
        self.patience = patience
        state = Mutex(ClockState(patience: patience))
    }

    /// The current instant. The clock starts at zero.
    public var now: MonotonicInstant { state.withLock { $0.now } }

    /// How much time has passed on this clock.
    public var elapsed: Duration { MonotonicInstant(nanoseconds: 0).duration(to: now) }

    /// The calendar date now.
    public var date: Date { date(at: now) }

    /// The number of those who sleep on this clock now.
    public var sleeperCount: Int { state.withLock { $0.deadlines.count } }

    /// The earliest instant that somebody sleeps for.
    public var nextDeadline: MonotonicInstant? { state.withLock { $0.deadlines.first?.instant } }

    /// The calendar date at `instant`.
    public func date(at instant: MonotonicInstant) -> Date {
        startDate.addingTimeInterval(Double(instant.nanoseconds) / 1e9)
    }

    /// Returns at `deadline`, or at once when it has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until deadline: MonotonicInstant) async throws {
        try Task.checkCancellation()
        let activity = Activity.current.flatMap { $0.clock === self ? $0.id : nil }
        if await wait(announceWaiter(), until: deadline, in: activity) == .cancelled { throw CancellationError() }
    }
}

extension VirtualClock {
    /// Why somebody who waited goes on.
    enum Wake: Sendable {
        /// The deadline has come.
        case deadline
        /// Somebody signalled.
        case signal
        /// The task was cancelled, or what it waits for given up.
        case cancelled
    }

    /// The number of somebody who is about to wait. Signals that come before they do are not lost.
    func announceWaiter() -> WaiterID { state.withLock { $0.announceWaiter() } }

    /// Takes back an announcement.
    func discard(_ waiter: WaiterID) { state.withLock { $0.discard(waiter) } }

    /// Waits for `deadline`, a signal or cancellation, whichever comes first.
    ///
    /// - Parameters:
    ///   - waiter: A number that was announced. It is used up.
    ///   - deadline: When to go on; `nil` waits for a signal alone, and no jump of time ends it.
    ///   - isLimit: Whether all that happens at the deadline is that running code is given up.
    ///   - activity: What does no work meanwhile; `nil` for a task that the clock knows nothing of.
    func wait(
        _ waiter: WaiterID,
        until deadline: MonotonicInstant?,
        isLimit: Bool = false,
        in activity: ActivityID?
    ) async -> Wake {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let wake = change { state in
                    state.park(waiter, until: deadline, isLimit: isLimit, in: activity, task: task, continuation)
                }
                if let wake { continuation.resume(returning: wake) }
            }
        } onCancel: {
            signal(waiter, .cancelled)
        }
    }

    /// Lets a waiter go on; nothing happens if it has already.
    func signal(_ waiter: WaiterID, _ wake: Wake = .signal) {
        change { $0.signal(waiter, wake) }?.resume(returning: wake)
    }

    /// Makes an activity that has yet to begin its work.
    func makeActivity() -> Activity {
        Activity(clock: self, id: state.withLock { $0.addActivity() })
    }

    /// Has time wait for an activity.
    func begin(_ activity: Activity, within parent: Activity?) {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        let parentID = parent.flatMap { $0.clock === self ? $0.id : nil }
        change { $0.begin(activity.id, within: parentID, task: task) }
    }

    /// Has time wait for an activity no more, until it begins again, and lets go on who waited for it.
    func rest(_ activity: Activity, signalling waiter: WaiterID) {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        let continuation = change { state in
            state.rest(activity.id, task: task)
            return state.signal(waiter, .signal)
        }
        continuation?.resume(returning: .signal)
    }

    /// Forgets an activity.
    func remove(_ activity: Activity) {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        change { $0.remove(activity.id, task: task) }
    }

    /// Changes the state, and has time move on if nothing is left to do.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout ClockState) -> Result) -> Result {
        let (result, mustSettle) = state.withLock { state -> (Result, Bool) in
            let result = body(&state)
            return (result, advance == .automatic && state.startSettling())
        }
        if mustSettle { Task { await jumpWhenQuiet() } }
        return result
    }
}
