internal import Glibc
internal import Synchronization

/// The reactor's thread, and what others leave for it.
///
/// It is also a task executor: tasks that prefer it run between two looks at the descriptors, so that a task that waits for
/// one goes on without a change of threads.
final class ReactorLoop: TaskExecutor {
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

    let poller: Poller
    let alarms: AlarmHeap
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
            let code = Thread.detach("airframe-socket") { self.run() }
            guard code == 0 else { return code }
            inbox.stage = .running
            isStarted.store(true, ordering: .releasing)
            return 0
        }
    }

    /// Has the thread end. Whoever still waits for it has lost its descriptor before.
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
        let events = Poller.Events()
        var jobs: [UnownedJob] = []
        while true {
            takeJobs(&jobs)
            if jobs.isEmpty {
                // In this order: whoever leaves a job from here on finds the thread asleep, and wakes it.
                poller.prepareToWait()
                if takeJobs(&jobs) { break }
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            poller.wait(events, nanoseconds: jobs.isEmpty ? timeToFirstAlarm() : 0)
            jobs.removeAll(keepingCapacity: true)
            if alarms.earliest != .max { alarms.ring(at: Monotonic.now) }
            buryTheDead()
        }
        buryTheDead()
    }

    /// Takes what is to be run. Returns whether there is nothing and the thread is to end.
    @discardableResult
    private func takeJobs(_ jobs: inout [UnownedJob]) -> Bool {
        inbox.withLock { inbox in
            swap(&jobs, &inbox.jobs)
            return jobs.isEmpty && inbox.stage == .stopped
        }
    }

    private func timeToFirstAlarm() -> Int64? {
        let earliest = alarms.earliest
        return earliest == .max ? nil : max(0, earliest - Monotonic.now)
    }

    private func buryTheDead() {
        let dead = inbox.withLock { inbox in
            defer { inbox.dead.removeAll() }
            return inbox.dead
        }
        for readiness in dead { readiness.release() }
    }
}
