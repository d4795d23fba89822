internal import AirframeTransport

/// What a virtual clock knows: the time, who waits for what, and who is at work. Pure: it neither waits nor wakes.
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
        /// How many of its tasks sleep, and how many activities within it have begun.
        var waitCount = 0

        var isAtWork: Bool { isBegun && waitCount == 0 }
    }

    /// A deadline that somebody sleeps for. In the order of time, then of arrival.
    struct Deadline: Sendable {
        let instant: MonotonicInstant
        let waiter: WaiterID
        /// Whether all that happens then is that code of the user's is given up.
        let isLimit: Bool
    }

    private(set) var now = MonotonicInstant(nanoseconds: 0)
    private(set) var deadlines: [Deadline] = []
    /// The number of deadlines that are no mere limits of running code.
    private(set) var sleeperCount = 0
    /// Changes with everything that happens.
    private(set) var generation: UInt64 = 0
    /// The number of activities that are at work.
    private(set) var workCount = 0
    /// When, in real time, a task came that the clock had not known.
    private(set) var lastArrival = MonotonicInstant(nanoseconds: .min)
    /// How many ask that time stand still.
    var holdCount = 0

    let patience: Duration
    private var waiters: [WaiterID: Waiter] = [:]
    private var activities: [ActivityID: ActivityState] = [:]
    /// Tasks that were here and left, and when that was in real time: they may be about to come back.
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

    /// Forgets a waiter that does not wait.
    mutating func discard(_ id: WaiterID) {
        if case .parked = waiters[id] { return }
        waiters[id] = nil
    }

    /// Has a waiter wait, unless there is a reason to go on at once.
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

    /// The continuation to resume, if the waiter waits.
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

    /// Moves time to the first deadline and returns who sleeps for it; `nil` when there is none up to `limit`.
    mutating func wakeFirst(until limit: MonotonicInstant) -> Continuation? {
        guard let first = deadlines.first, first.instant <= limit else { return nil }
        now = max(now, first.instant)
        return signal(first.waiter, .deadline)
    }

    /// Moves time, and wakes nobody.
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

    /// Notes an activity that has yet to begin its work.
    mutating func addActivity() -> ActivityID {
        lastID &+= 1
        activities[lastID] = ActivityState()
        return lastID
    }

    /// Has an activity begin its work, or go on with it.
    ///
    /// - Parameters:
    ///   - parent: The activity that waits for it meanwhile.
    ///   - task: The task that called, where the clock knows of none that waits.
    mutating func begin(_ id: ActivityID, within parent: ActivityID?, task: Int?) {
        generation &+= 1
        let owner = parent.flatMap { activities[$0] == nil ? nil : $0 }
        if let owner { change(owner) { $0.waitCount += 1 } } else { arrive(task) }
        change(id) { activity in
            activity.parent = owner
            activity.isBegun = true
        }
    }

    /// Has an activity rest: what sleeps on its behalf goes on sleeping, and time does not wait for it.
    mutating func rest(_ id: ActivityID, task: Int?) {
        guard let activity = activities[id], activity.isBegun else { return }
        generation &+= 1
        change(id) { $0.isBegun = false }
        if let parent = activity.parent { removeWait(from: parent) } else { leave(task) }
    }

    /// Forgets an activity.
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
        // Where nobody ever sleeps, nobody looks at them.
        if tasksAtLarge.count > 1_000 { _ = expectsTasks(at: real) }
    }

    // MARK: Quiet

    /// Whether a task may come back any moment. Those that left long ago are forgotten.
    mutating func expectsTasks(at real: MonotonicInstant) -> Bool {
        tasksAtLarge = tasksAtLarge.filter { $0.value.duration(to: real) < patience * 100 }
        return !tasksAtLarge.isEmpty
    }

    /// Whether a jump of time may be all that is left: nothing is at work, or what is may wait for one who sleeps.
    var mayJump: Bool {
        guard holdCount == 0, !deadlines.isEmpty else { return false }
        return workCount == 0 || sleeperCount > 0
    }

    /// Whether somebody must now watch for quiet: there is reason to, and nobody does.
    mutating func startSettling() -> Bool {
        guard mayJump, !isSettling else { return false }
        isSettling = true
        return true
    }

    mutating func stopSettling() { isSettling = false }
}

extension Array {
    /// The first index whose element satisfies `predicate`, in an array where all that follow do too.
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
