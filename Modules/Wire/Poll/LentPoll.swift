internal import Synchronization

/// The turn to poll an engine's descriptors, which the engine's thread lends to a task in Swift's pool.
///
/// If an engine's thread shares a core with the tasks that it resumes, each response makes the thread interrupt the
/// tasks, and the two context switches cost more than the response. A thread that has resumed tasks therefore lends its
/// poll. A task behind them in the pool's queue polls, resumes the tasks whose descriptors are ready, and enqueues
/// itself behind those. Under load there are no context switches.
///
/// A poll that finds nothing ends the loan, and the thread waits in the kernel again. Before that, if that has been
/// worth it lately (``BackOff``), the task yields up to three times, and waits for up to ``patience`` if a yield shows
/// an empty queue.
///
/// `Docs/Decisions/0080-the-reactor-lends-its-poll.md` and `Docs/Decisions/0137-the-lent-poll-waits-briefly.md` have
/// the measurements.
///
/// The thread keeps the work that must not depend on the pool: alarms, shutdown, jobs of its executor, and
/// ``LoanWatch``.
package final class LentPoll: Sendable {
    /// The maximum time that the task waits for a descriptor, in nanoseconds.
    package static let patience = 100_000
    /// The time within which a yield returns if the queue is empty or has only very short tasks, in nanoseconds.
    package static let emptyYield: Int64 = 10_000
    /// The duration of a yield, in nanoseconds, that shows CPU-bound tasks in the queue.
    private static let longYield: Int64 = 1_000_000
    /// The number of yields in a row during which other tasks ran, after which the poll is returned.
    private static let maximumBusyYields = 3

    private let turn = Atomic<UInt64>(PollTurn().word)
    /// Whether the task has polled since the thread last asked.
    private let polled = Atomic(false)
    /// Whether an exchange has moved since the thread last asked.
    private let moved = Atomic(false)
    /// Whether a wait of the task is worthwhile.
    private let waits = BackOff()
    private let emptyYield: Int64

    /// - Parameter emptyYield: The time within which a yield returns if the queue is empty, in nanoseconds.
    package init(emptyYield: Int64 = LentPoll.emptyYield) { self.emptyYield = emptyYield }

    // MARK: The thread

    /// Whether the thread may poll.
    package var isThreads: Bool { PollTurn(word: turn.load(ordering: .acquiring)).holder == .thread }

    /// The number of loans, to the pool or from one of its tasks to another.
    package var loanCount: UInt32 { PollTurn(word: turn.load(ordering: .acquiring)).loan }

    /// Lends the poll of `poller` to a task with `priority`, that of the tasks that have just been resumed.
    package func lend(at priority: TaskPriority, _ poller: any LendingPoller) {
        polled.store(false, ordering: .relaxed)
        guard let loan = update({ $0.lend() }) else { return }
        start(loan, at: priority, poller)
    }

    /// Takes the turn back.
    ///
    /// - Returns: `false` while the task is polling.
    package func takeBack() -> Bool { update { $0.takeBack() } }

    /// Returns whether the task has polled, and whether an exchange has moved, since the last call.
    package func takeProgress() -> (hasPolled: Bool, hasMoved: Bool) {
        (polled.exchange(false, ordering: .relaxed), moved.exchange(false, ordering: .relaxed))
    }

    // MARK: Exchanges

    /// Records that an exchange has read or written. Stores only on a change, so that cores do not contend for the
    /// cache line.
    package func noteMovement() {
        if !moved.load(ordering: .relaxed) { moved.store(true, ordering: .relaxed) }
    }

    // MARK: The pool

    private func start(_ loan: UInt32, at priority: TaskPriority, _ poller: any LendingPoller) {
        Task.detached(priority: priority) { await self.serve(loan, at: priority, poller) }
    }

    /// Polls until nothing is ready or the thread has taken the turn back.
    private func serve(_ loan: UInt32, at priority: TaskPriority, _ poller: any LendingPoller) async {
        var mayWait = false
        var busyYields = 0
        while update({ $0.beginPoll(loan) }) {
            if !polled.load(ordering: .relaxed) { polled.store(true, ordering: .relaxed) }
            guard let resumed = poll(poller, mayWait) else {
                if busyYields == Self.maximumBusyYields { waits.recordFailure() }
                guard !mayWait, busyYields < Self.maximumBusyYields, waits.isDue() else {
                    // In this order: a thread that wakes for a ready descriptor must find that it holds the turn.
                    update { $0.giveBack() }
                    return poller.wakeThreadWhenReady()
                }
                update { $0.endPoll() }
                mayWait = await isAlone()
                if !mayWait { busyYields += 1 }
                continue
            }
            mayWait = false
            busyYields = 0
            guard resumed == priority else {
                // Each priority has its own queue, and the task must be behind the tasks that it has resumed.
                guard let next = update({ $0.pass() }) else { return }
                return start(next, at: resumed, poller)
            }
            update { $0.endPoll() }
            await Task.yield()
        }
    }

    private func poll(_ poller: any LendingPoller, _ mayWait: Bool) -> TaskPriority? {
        guard mayWait else { return poller.pollOnce(waiting: 0) }
        let resumed = poller.pollOnce(waiting: Self.patience)
        resumed == nil ? waits.recordFailure() : waits.recordSuccess()
        return resumed
    }

    /// Yields, and returns whether no other task of the same priority was in the queue: a wait would delay it.
    private func isAlone() async -> Bool {
        let start = Monotonic.now
        await Task.yield()
        let duration = Monotonic.now &- start
        guard duration >= emptyYield else { return true }
        // Nobody polls while CPU-bound tasks run: they should rarely meet a yield.
        if duration >= Self.longYield { waits.recordFailure(isCostly: true) }
        return false
    }

    private func update<Result>(_ transition: (inout PollTurn) -> Result) -> Result {
        var word = turn.load(ordering: .acquiring)
        while true {
            var next = PollTurn(word: word)
            let result = transition(&next)
            let (exchanged, original) = turn.weakCompareExchange(
                expected: word,
                desired: next.word,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return result }
            word = original
        }
    }
}

/// An engine whose poll can be lent.
package protocol LendingPoller: AnyObject, Sendable {
    /// Polls, and resumes the tasks whose descriptors are ready. Called by the holder of the turn.
    ///
    /// - Parameter nanoseconds: The maximum time to wait for a descriptor.
    /// - Returns: The highest priority of those tasks; `nil` if there were none.
    func pollOnce(waiting nanoseconds: Int) -> TaskPriority?

    /// Wakes the thread as soon as a descriptor is ready, or immediately if one is. Called when the thread holds the
    /// turn again.
    func wakeThreadWhenReady()
}
