internal import AirframeTransport
internal import AirframeWire
internal import Glibc
internal import Synchronization

/// The reactor's thread and its inbox.
///
/// The thread waits for descriptors and alarms. While it has lent its poll to the pool (``LentPoll``), it waits for
/// alarms, for jobs and for the return of the poll.
///
/// It is also a task executor. Tasks that prefer it run between two polls, so that a task that waits for a descriptor
/// resumes without a thread switch.
final class ReactorLoop: TaskExecutor, LendingPoller {
    private struct Inbox {
        var jobs: [UnownedJob] = []
        /// The readiness objects of closed descriptors. The kernel may still have reported their addresses.
        var dead: [Unmanaged<Readiness>] = []
        var stage = Stage.new
    }

    private enum Stage {
        case new
        case running
        case stopped
    }

    /// The maximum number of rounds of jobs between two polls.
    private static let roundLimit = 8

    let poller: Poller
    let alarms: AlarmHeap
    /// The holder of the poll.
    let poll = LentPoll()
    /// The event buffer of the holder of the poll.
    private let events = Poller.Events()
    // Guards the inbox.
    private let inbox = Mutex(Inbox())
    /// Whether the thread has been started. A copy of the stage that can be read without the lock.
    private let isStarted = Atomic(false)

    /// The thread's identifier, once it runs.
    private let thread = Atomic<UInt>(0)

    init(_ poller: Poller) {
        self.poller = poller
        alarms = AlarmHeap { poller.wake() }
    }

    /// Whether the calling thread is the reactor's.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Starts the thread unless it is running. Returns the system's error code, or 0.
    func start() -> Int32 {
        guard !isStarted.load(ordering: .acquiring) else { return 0 }
        return inbox.withLock { inbox in
            guard inbox.stage == .new else { return 0 }
            let code = DetachedThread.start(named: "airframe-socket") { self.run() }
            guard code == 0 else { return code }
            inbox.stage = .running
            isStarted.store(true, ordering: .releasing)
            return 0
        }
    }

    /// Ends the thread. No task waits for it: all descriptors are closed.
    func stop() {
        inbox.withLock { $0.stage = .stopped }
        poller.wake()
    }

    /// Releases `readiness`, whose descriptor is no longer watched, once the kernel can no longer report it.
    func bury(_ readiness: Unmanaged<Readiness>) {
        let isOver = inbox.withLock { inbox in
            guard inbox.stage == .running else { return true }
            inbox.dead.append(readiness)
            return false
        }
        if isOver { readiness.release() }
    }

    /// Runs `job` on the thread; on the global executor if the reactor has ended.
    func enqueue(_ job: consuming ExecutorJob) {
        guard start() == 0 else { return globalConcurrentExecutor.enqueue(job) }
        let unowned = UnownedJob(job)
        let isTaken = inbox.withLock { inbox in
            guard inbox.stage == .running else { return false }
            inbox.jobs.append(unowned)
            return true
        }
        guard isTaken else { return globalConcurrentExecutor.enqueue(unowned) }
        poller.wake()
    }

    // MARK: The thread

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        var jobs: [UnownedJob] = []
        var watch = LoanWatch()
        var isLent = false
        while true {
            runJobs(&jobs)
            // Before the inbox is checked: a caller that enqueues a job afterwards finds the thread asleep and wakes
            // it.
            poller.prepareToWait()
            let (hasJobs, isOver) = inbox.withLock { (!$0.jobs.isEmpty, $0.stage == .stopped) }
            if isLent, poll.isThreads {
                isLent = false
                watch.wasServed()
            }
            guard isLent else {
                if isOver, !hasJobs { break }
                let resumed = poller.wait(events, nanoseconds: hasJobs ? 0 : timeToFirstAlarm())
                ringAlarms()
                // Do not lend the poll while tasks that prefer the reactor have jobs.
                if releaseClosedDescriptors(), let resumed, watch.isWorthwhile() {
                    isLent = true
                    watch.begin(at: Monotonic.now)
                    poll.lend(at: resumed, self)
                }
                continue
            }
            // Tasks that prefer the reactor need its poll, and so does shutdown.
            if hasJobs || isOver, poll.takeBack() {
                isLent = false
                continue
            }
            poller.waitForReturn(nanoseconds: hasJobs ? 0 : min(LoanWatch.tick, timeToFirstAlarm() ?? .max))
            ringAlarms()
            if !poll.isThreads, watch.look(at: Monotonic.now, poll.takeProgress), poll.takeBack() {
                isLent = false
                watch.wasNotServed()
            }
        }
        releaseClosedDescriptors()
    }

    /// Runs all jobs, and the jobs that they enqueue, up to ``roundLimit`` rounds, so that a task that resumes another
    /// needs no poll in between.
    private func runJobs(_ jobs: inout [UnownedJob]) {
        for _ in 0..<Self.roundLimit {
            inbox.withLock { swap(&jobs, &$0.jobs) }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            jobs.removeAll(keepingCapacity: true)
        }
    }

    private func timeToFirstAlarm() -> Int64? {
        let earliest = alarms.earliest
        guard earliest != .max else { return nil }
        let now = Monotonic.now
        return earliest > now ? earliest - now : 0
    }

    private func ringAlarms() {
        if alarms.earliest != .max { alarms.ring(at: Monotonic.now) }
    }

    // MARK: The holder of the poll

    func pollOnce(waiting nanoseconds: Int) -> TaskPriority? {
        let resumed = poller.poll(events, waiting: nanoseconds)
        releaseClosedDescriptors()
        return resumed
    }

    func wakeThreadWhenReady() { poller.announceReadiness() }

    /// Releases the readiness objects of closed descriptors. Only the holder of the poll may do so, after it has
    /// handled the events that the kernel reported.
    ///
    /// - Returns: Whether there is no job.
    @discardableResult
    private func releaseClosedDescriptors() -> Bool {
        let (dead, isIdle) = inbox.withLock { inbox in
            defer { inbox.dead.removeAll() }
            return (inbox.dead, inbox.jobs.isEmpty)
        }
        for readiness in dead { readiness.release() }
        return isIdle
    }
}
