internal import AirframeTransport
internal import AirframeWire
internal import Glibc
internal import Synchronization

/// The reactor's thread, and what others leave for it.
///
/// The thread waits for descriptors and time. While it has lent its poll to the pool (``LentPoll``), it waits for time,
/// for jobs and for the return of its turn.
///
/// It is also a task executor: tasks that prefer it run between two looks at the descriptors, so that a task that waits
/// for one resumes without a change of threads.
final class ReactorLoop: TaskExecutor, LendingPoller {
    private struct Inbox {
        var jobs: [UnownedJob] = []
        /// Readiness of descriptors that are closed: the kernel may have handed out its address a moment ago.
        var dead: [Unmanaged<Readiness>] = []
        var stage = Stage.new
    }

    private enum Stage {
        case new
        case running
        case stopped
    }

    /// How often jobs are run between two looks at the descriptors.
    private static let roundLimit = 8

    let poller: Poller
    let alarms: AlarmHeap
    /// Who polls.
    let poll = LentPoll()
    /// Used by the holder of the turn.
    private let events = Poller.Events()
    // Guards what others leave here.
    private let inbox = Mutex(Inbox())
    /// Whether the thread has been started; a copy of the stage that can be read without the lock.
    private let isStarted = Atomic(false)

    /// The thread, once it runs.
    private let thread = Atomic<UInt>(0)

    init(_ poller: Poller) {
        self.poller = poller
        alarms = AlarmHeap { poller.wake() }
    }

    /// Whether the calling thread is the reactor's.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Starts the thread, if it has not been. Returns the system's error, or 0.
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

    /// Has the thread end. No task waits for it any more: their descriptors are closed.
    func stop() {
        inbox.withLock { $0.stage = .stopped }
        poller.wake()
    }

    /// Gives back `readiness`, whose descriptor is no longer watched.
    func bury(_ readiness: Unmanaged<Readiness>) {
        let isOver = inbox.withLock { inbox in
            guard inbox.stage == .running else { return true }
            inbox.dead.append(readiness)
            return false
        }
        if isOver { readiness.release() }
    }

    /// Runs `job` on the thread; on the global executor when the reactor is gone.
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
            // In this order: a caller that enqueues a job from here on finds the thread asleep, and wakes it.
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
                // Tasks that prefer the reactor come first, and make their own way.
                if releaseClosedDescriptors(), let resumed, watch.isWorthwhile() {
                    isLent = true
                    watch.begin(at: Monotonic.now)
                    poll.lend(at: resumed, self)
                }
                continue
            }
            // The tasks that prefer the reactor need its poll; so does its end.
            if hasJobs || isOver, poll.takeBack() {
                isLent = false
                continue
            }
            poller.waitForReturn(nanoseconds: hasJobs ? 0 : min(LoanWatch.tick, timeToFirstAlarm() ?? .max))
            ringAlarms()
            if watch.look(at: Monotonic.now, poll.takeProgress), poll.takeBack() {
                isLent = false
                watch.wasNotServed()
            }
        }
        releaseClosedDescriptors()
    }

    /// Runs what is to be run, and what that leaves behind, so that a task that waits for another costs no look at the
    /// descriptors; but not for ever.
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
        return earliest == .max ? nil : max(0, earliest - Monotonic.now)
    }

    private func ringAlarms() {
        if alarms.earliest != .max { alarms.ring(at: Monotonic.now) }
    }

    // MARK: The holder of the turn

    func pollOnce() -> TaskPriority? {
        let resumed = poller.poll(events)
        releaseClosedDescriptors()
        return resumed
    }

    func wakeThreadWhenReady() { poller.announceReadiness() }

    /// Releases what closed descriptors leave behind. Only the holder of the turn may do so, after it has looked at what the
    /// kernel reported.
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
