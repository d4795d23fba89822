internal import AirframeTransport

/// The state of a virtual clock: the time, the waiters and the activities. It is pure: it neither waits nor wakes.
struct ClockState: Sendable {
    typealias Continuation = UnsafeContinuation<VirtualClock.Wake, Never>

    private enum Waiter: Sendable {
        /// About to wait.
        case announced
        /// Woken before it waited.
        case woken(VirtualClock.Wake)
        /// Waits.
        case parked(Continuation, until: Deadline?, in: ActivityID?, task: Int?)
    }

    private struct ActivityState: Sendable {
        var parent: ActivityID?
        var isBegun = false
        /// The number of its tasks that sleep, and of the activities that have begun within it.
        var waitCount = 0

        var isAtWork: Bool { isBegun && waitCount == 0 }
    }

    /// A deadline that a task sleeps for, ordered by time and then by arrival.
    struct Deadline: Sendable {
        let instant: MonotonicInstant
        let waiter: WaiterID
        /// Whether the deadline only ends the wait for the user's code.
        let isLimit: Bool
    }

    private(set) var now = MonotonicInstant(nanoseconds: 0)
    private(set) var deadlines: [Deadline] = []
    /// The number of deadlines that are not merely limits of running code.
    private(set) var sleeperCount = 0
    /// A counter that changes with every event.
    private(set) var generation: UInt64 = 0
    /// The number of working activities.
    private(set) var workCount = 0
    /// The real time at which a task arrived that the clock had not known.
    private(set) var lastArrival = MonotonicInstant(nanoseconds: .min)
    /// The number of callers that hold time.
    var holdCount = 0

    let patience: Duration
    private var waiters: [WaiterID: Waiter] = [:]
    private var activities: [ActivityID: ActivityState] = [:]
    /// The tasks that have left the clock, with the real time at which they did. They may be about to return.
    private var tasksAtLarge: [Int: MonotonicInstant] = [:]
    private var lastID: UInt64 = 0
    private var isSettling = false

    init(patience: Duration) { self.patience = patience }

    // MARK: Waiting

    mutating func announceWaiter() -> WaiterID {
        lastID &+= 1
        waiters[lastID] = .announced
        return lastID
    }

    /// Removes a waiter that does not wait.
    mutating func discard(_ id: WaiterID) {
        if case .parked = waiters[id] { return }
        waiters[id] = nil
    }

    /// Has a waiter wait, unless there is a reason to resume it immediately.
    mutating func park(
        _ id: WaiterID,
        until instant: MonotonicInstant?,
        isLimit: Bool,
        in activity: ActivityID?,
        task: Int?,
        _ continuation: Continuation
    ) -> VirtualClock.Wake? {
        if case .woken(let wake) = waiters[id] {
            waiters[id] = nil
            return wake
        }
        if let instant, instant <= now {
            waiters[id] = nil
            return .deadline
        }
        generation &+= 1
        let deadline = instant.map { Deadline(instant: $0, waiter: id, isLimit: isLimit) }
        waiters[id] = .parked(continuation, until: deadline, in: activity, task: task)
        if let deadline { insert(deadline) }
        if let activity { change(activity) { $0.waitCount += 1 } }
        if !isBegun(activity) { arrive(task) }
        return nil
    }

    /// Returns the continuation to resume, if the waiter waits.
    mutating func signal(_ id: WaiterID, _ wake: VirtualClock.Wake) -> Continuation? {
        switch waiters[id] {
        case .announced:
            waiters[id] = .woken(wake)
            return nil
        case .parked(let continuation, let deadline, let activity, let task):
            generation &+= 1
            waiters[id] = nil
            if let deadline { remove(deadline) }
            if let activity { removeWait(from: activity) }
            if !isBegun(activity) { leave(task) }
            return continuation
        case .woken, nil: return nil
        }
    }

    /// Moves time to the first deadline and returns its waiter, or `nil` if there is no deadline up to `limit`.
    mutating func wakeFirst(until limit: MonotonicInstant) -> Continuation? {
        guard let first = deadlines.first, first.instant <= limit else { return nil }
        now = max(now, first.instant)
        return signal(first.waiter, .deadline)
    }

    /// Moves time without waking a waiter.
    mutating func move(to instant: MonotonicInstant) {
        now = max(now, instant)
    }

    private func isBegun(_ activity: ActivityID?) -> Bool {
        activity.flatMap { activities[$0]?.isBegun } ?? false
    }

    private mutating func insert(_ deadline: Deadline) {
        let index = deadlines.partitionIndex { $0.instant > deadline.instant }
        deadlines.insert(deadline, at: index)
        if !deadline.isLimit { sleeperCount += 1 }
    }

    private mutating func remove(_ deadline: Deadline) {
        let start = deadlines.partitionIndex { $0.instant >= deadline.instant }
        guard let index = deadlines[start...].firstIndex(where: { $0.waiter == deadline.waiter }) else { return }
        deadlines.remove(at: index)
        if !deadline.isLimit { sleeperCount -= 1 }
    }

    // MARK: Working

    /// Adds an activity that has not started to work.
    mutating func addActivity() -> ActivityID {
        lastID &+= 1
        activities[lastID] = ActivityState()
        return lastID
    }

    /// Starts or resumes the work of an activity.
    ///
    /// - Parameters:
    ///   - parent: The activity that waits for it meanwhile.
    ///   - task: The calling task, if the clock knows of no task that waits.
    mutating func begin(_ id: ActivityID, within parent: ActivityID?, task: Int?) {
        generation &+= 1
        let owner = parent.flatMap { activities[$0] == nil ? nil : $0 }
        if let owner { change(owner) { $0.waitCount += 1 } } else { arrive(task) }
        change(id) { activity in
            activity.parent = owner
            activity.isBegun = true
        }
    }

    /// Suspends an activity: its tasks continue to sleep, and time does not wait for it.
    mutating func rest(_ id: ActivityID, task: Int?) {
        guard let activity = activities[id], activity.isBegun else { return }
        generation &+= 1
        change(id) { $0.isBegun = false }
        if let parent = activity.parent { removeWait(from: parent) } else { leave(task) }
    }

    /// Removes an activity.
    mutating func remove(_ id: ActivityID, task: Int?) {
        rest(id, task: task)
        activities[id] = nil
    }

    private mutating func removeWait(from id: ActivityID) {
        change(id) { $0.waitCount = max(0, $0.waitCount - 1) }
    }

    private mutating func change(_ id: ActivityID, _ body: (inout ActivityState) -> Void) {
        guard var activity = activities[id] else { return }
        if activity.isAtWork { workCount -= 1 }
        body(&activity)
        if activity.isAtWork { workCount += 1 }
        activities[id] = activity
    }

    private mutating func arrive(_ task: Int?) {
        let isKnown = task.flatMap { tasksAtLarge.removeValue(forKey: $0) } != nil
        if !isKnown { lastArrival = SystemClock.shared.now }
    }

    private mutating func leave(_ task: Int?) {
        guard let task else { return }
        let real = SystemClock.shared.now
        tasksAtLarge[task] = real
        // Without a sleeper nothing reads them.
        if tasksAtLarge.count > 1_000 { _ = expectsTasks(at: real) }
    }

    // MARK: Quiet

    /// Whether a task may return at any moment. Tasks that left long ago are removed.
    mutating func expectsTasks(at real: MonotonicInstant) -> Bool {
        tasksAtLarge = tasksAtLarge.filter { $0.value.duration(to: real) < patience * 100 }
        return !tasksAtLarge.isEmpty
    }

    /// Whether a jump of time may be all that is left to do: nothing works, or a working activity may wait for a
    /// sleeper.
    var mayJump: Bool {
        guard holdCount == 0, !deadlines.isEmpty else { return false }
        return workCount == 0 || sleeperCount > 0
    }

    /// Whether a watch for quiet has to be started.
    mutating func startSettling() -> Bool {
        guard mayJump, !isSettling else { return false }
        isSettling = true
        return true
    }

    mutating func stopSettling() { isSettling = false }
}

extension Array {
    /// Returns the first index whose element satisfies `predicate`, in an array partitioned by it.
    fileprivate func partitionIndex(where predicate: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
