public import AirframeTransport
public import FoundationEssentials
internal import Synchronization

/// A clock whose time advances on command, or as soon as all other work has stopped.
///
/// A test of backoff, timeouts or expiry on this clock takes no real time. Clocks are independent, so tests can run
/// concurrently.
///
/// **Automatic** (the default). The clock jumps to the earliest deadline when all of these are true:
///
/// 1. A task sleeps on the clock.
/// 2. Nothing is *at work*: every exchange of a ``MockTransport`` on this clock sleeps, or stalls without a limit, and
///    no closure of a route, body stream, request body or trust evaluation runs. A closure that sleeps on this clock,
///    itself or in a task that it started, does not count as running.
/// 3. The clock is *quiet*: tasks that were ready have run, ``patience`` of real time has passed since a new task used
///    the clock, and the threads of the process are at rest. The clock waits for threads that are ready to run but have
///    no processor, so a busy machine does not change the result. It stops waiting for a thread that has used
///    ``patience`` of processor time, or twenty times that if a task that has received a response, an error or the end
///    of its sleep has not called the clock or transport again: it may be about to sleep, as a session does before a
///    retry. If the system does not report the state of threads, the clock waits for the same durations in real time.
///
/// Tasks wake one at a time, in the order of their deadlines, or for equal deadlines in the order in which they began
/// to sleep. The next task wakes when the clock is quiet again. The order of events at one instant is therefore always
/// the same.
///
/// A closure may wait for the effect of another sleeping task, such as another exchange or a task of the test. If a
/// closure has run for 250 ms of real time in which nothing else happened, and a task sleeps for another reason than to
/// limit that closure, time therefore advances.
///
/// The clock cannot observe other work of a test. A test that starts several requests at the same instant, or acts
/// while a task sleeps, uses `hold(_:)` or a manual clock.
///
/// **Manual**. Time advances only with ``advance(by:)`` and ``advanceToNextDeadline()``.
public final class VirtualClock: TransportClock {
    /// The way in which time passes.
    public enum Advance: Sendable, Hashable {
        /// Time jumps to the next deadline when all other work has stopped.
        case automatic
        /// Time stands still until it is moved.
        case manual
    }

    /// The way in which time passes.
    public let advance: Advance

    /// The real time for which the clock must have been quiet before time jumps.
    public let patience: Duration

    /// The calendar date at which the clock starts.
    public let startDate: Date

    // Guards time, sleepers and activities. No waiter is woken while it is held.
    let state: Mutex<ClockState>

    /// Creates a clock at its start.
    ///
    /// - Parameters:
    ///   - advance: The way in which time passes.
    ///   - startDate: The calendar date at which the clock starts; by default the first second of 2026, UTC.
    ///   - patience: The real time for which the clock must have been quiet before time jumps. A longer one makes tests
    ///     exact that work long between requests, and all tests slower.
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

    /// The time that has passed on this clock.
    public var elapsed: Duration { MonotonicInstant(nanoseconds: 0).duration(to: now) }

    /// The current calendar date.
    public var date: Date { date(at: now) }

    /// The current number of sleepers on this clock.
    public var sleeperCount: Int { state.withLock { $0.deadlines.count } }

    /// The earliest instant that a task sleeps for.
    public var nextDeadline: MonotonicInstant? { state.withLock { $0.deadlines.first?.instant } }

    /// Returns the calendar date at `instant`.
    public func date(at instant: MonotonicInstant) -> Date {
        startDate.addingTimeInterval(Double(instant.nanoseconds) / 1e9)
    }

    /// Returns at `deadline`, or immediately if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: MonotonicInstant) async throws {
        try Task.checkCancellation()
        let activity = Activity.current.flatMap { $0.clock === self ? $0.id : nil }
        if await wait(announceWaiter(), until: deadline, in: activity) == .cancelled { throw CancellationError() }
    }
}

extension VirtualClock {
    /// The reason why a waiter is resumed.
    enum Wake: Sendable {
        /// The deadline was reached.
        case deadline
        /// Another task signalled.
        case signal
        /// The task was cancelled, or its wait was.
        case cancelled
    }

    /// Returns the number of a new waiter. Signals that arrive before it waits are not lost.
    func announceWaiter() -> WaiterID { state.withLock { $0.announceWaiter() } }

    /// Withdraws an announced waiter.
    func discard(_ waiter: WaiterID) { state.withLock { $0.discard(waiter) } }

    /// Waits for `deadline`, a signal or cancellation, whichever comes first.
    ///
    /// - Parameters:
    ///   - waiter: An announced number, which is used up.
    ///   - deadline: The instant to resume at; `nil` waits for a signal alone, and no jump of time ends the wait.
    ///   - isLimit: Whether the deadline only ends the wait for running code.
    ///   - activity: The activity that does not work meanwhile; `nil` for a task that the clock does not know.
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

    /// Resumes a waiter, unless it has been resumed already.
    func signal(_ waiter: WaiterID, _ wake: Wake = .signal) {
        change { $0.signal(waiter, wake) }?.resume(returning: wake)
    }

    /// Creates an activity that has not started to work.
    func makeActivity() -> Activity {
        Activity(clock: self, id: state.withLock { $0.addActivity() })
    }

    /// Has time wait for an activity.
    func begin(_ activity: Activity, within parent: Activity?) {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        let parentID = parent.flatMap { $0.clock === self ? $0.id : nil }
        change { $0.begin(activity.id, within: parentID, task: task) }
    }

    /// Stops time from waiting for an activity until it begins again, and resumes its waiters.
    func rest(_ activity: Activity, signalling waiter: WaiterID) {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        let continuation = change { state in
            state.rest(activity.id, task: task)
            return state.signal(waiter, .signal)
        }
        continuation?.resume(returning: .signal)
    }

    /// Removes an activity.
    func remove(_ activity: Activity) {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        change { $0.remove(activity.id, task: task) }
    }

    /// Changes the state, and moves time on if nothing is left to do.
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
