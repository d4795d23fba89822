internal import Synchronization

/// The turn to poll an engine's descriptors, which the engine's thread lends to a task in Swift's pool.
///
/// Where an engine's thread and the tasks that it resumes share a core, each response would make the thread interrupt the
/// tasks: two changes of threads, which cost more than the response does. A thread that has resumed tasks lends its poll
/// instead. A task behind them in the pool's queue polls without waiting, resumes the tasks whose descriptors are ready,
/// and enqueues itself behind those. Its first poll that finds nothing ends the loan, and the thread waits in the kernel
/// again. Under load no thread changes.
///
/// The thread keeps what must not depend on the pool: alarms, shutdown, jobs of its executor, and ``LoanWatch``.
package final class LentPoll: Sendable {
    private let turn = Atomic<UInt64>(PollTurn().word)
    /// Whether the task has polled since the thread last asked.
    private let polled = Atomic(false)
    /// Whether an exchange has moved since the thread last asked.
    private let moved = Atomic(false)

    package init() {}

    // MARK: The thread

    /// Whether the thread may poll.
    package var isThreads: Bool { PollTurn(word: turn.load(ordering: .acquiring)).holder == .thread }

    /// How often the poll was lent, to the pool or from one of its tasks to another.
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

    /// Records that an exchange has read or written. Mostly a load: cores must not compete for the word.
    package func noteMovement() {
        if !moved.load(ordering: .relaxed) { moved.store(true, ordering: .relaxed) }
    }

    // MARK: The pool

    private func start(_ loan: UInt32, at priority: TaskPriority, _ poller: any LendingPoller) {
        Task.detached(priority: priority) { await self.serve(loan, at: priority, poller) }
    }

    /// Polls until nothing is ready or the thread has taken the turn back.
    private func serve(_ loan: UInt32, at priority: TaskPriority, _ poller: any LendingPoller) async {
        while update({ $0.beginPoll(loan) }) {
            if !polled.load(ordering: .relaxed) { polled.store(true, ordering: .relaxed) }
            guard let resumed = poller.pollOnce() else {
                // In this order: a thread that wakes because something is ready must find that it holds the turn.
                update { $0.giveBack() }
                return poller.wakeThreadWhenReady()
            }
            guard resumed == priority else {
                // Each priority has a queue of its own: the task has to be behind those that it has resumed.
                guard let next = update({ $0.pass() }) else { return }
                return start(next, at: resumed, poller)
            }
            update { $0.endPoll() }
            await Task.yield()
        }
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
    /// Polls without waiting, and resumes the tasks whose descriptors are ready. Called by the holder of the turn.
    ///
    /// - Returns: The highest priority of those tasks; `nil` if there were none.
    func pollOnce() -> TaskPriority?

    /// Has the thread wake as soon as a descriptor is ready, or at once if one is. Called when the thread holds the
    /// turn again.
    func wakeThreadWhenReady()
}
