#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A pool of threads for work that may block: reading files, and users' evaluators.
///
/// Swift's own pool has one thread for each core, so a few blocked threads stop every task of the program. This pool
/// starts a thread if none is idle, up to a maximum, and ends it after five seconds without work. If all threads are
/// blocked, work waits in the queue.
///
/// As a `TaskExecutor` it runs every part of a task. A suspended task occupies no thread.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
package final class WorkerThreads: TaskExecutor, @unchecked Sendable {
    /// The threads for evaluators that block.
    package static let evaluators = WorkerThreads(named: "airframe-trust", maximum: 64)
    /// The threads that read uploaded files. 64: a file on a network file system that does not respond blocks a thread,
    /// and must not block files elsewhere.
    package static let files = WorkerThreads(named: "airframe-files", maximum: 64)

    /// Starts a thread with a name. Returns 0, or the system's error.
    package typealias ThreadStart = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Int32

    private enum Work: Sendable {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)
    }

    private static let idleSeconds = 5

    private let name: String
    private let maximum: Int
    private let startThread: ThreadStart
    // A pthread mutex, because `Mutex` has no condition variable. Both live as long as the threads, whose closures
    // retain the object.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let workArrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [Work] = []
    private var threadCount = 0
    private var idleCount = 0

    /// - Parameters:
    ///   - name: The threads' name, of at most 15 bytes.
    ///   - maximum: The maximum number of threads.
    ///   - startThread: Starts a thread.
    package init(
        named name: String,
        maximum: Int,
        startThread: @escaping ThreadStart = { DetachedThread.start(named: $0, $1) }
    ) {
        self.name = name
        self.maximum = maximum
        self.startThread = startThread
        pthread_mutex_init(lock, nil)
        pthread_cond_init(workArrived, nil)
    }

    deinit {
        pthread_cond_destroy(workArrived)
        pthread_mutex_destroy(lock)
        workArrived.deallocate()
        lock.deallocate()
    }

    /// Enqueues `work`, which runs on one of the threads.
    package func run(_ work: @escaping @Sendable () -> Void) { enqueue(.closure(work)) }

    /// Runs `work` on one of the threads and returns its result. The caller suspends until `work` returns, even if the
    /// caller is cancelled.
    package func result<Value: Sendable>(of work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            run { continuation.resume(with: Result(catching: work)) }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) { enqueue(.job(UnownedJob(job))) }

    private func enqueue(_ work: Work) {
        pthread_mutex_lock(lock)
        queue.append(work)
        let hasIdleThread = idleCount >= queue.count
        let needsThread = !hasIdleThread && threadCount < maximum
        if needsThread { threadCount += 1 }
        if hasIdleThread { pthread_cond_signal(workArrived) }
        pthread_mutex_unlock(lock)
        if needsThread, startThread(name, { self.serve() }) != 0 { giveUpThread() }
    }

    /// Handles a failed start of a thread: other threads serve the queue; if there is none, Swift's pool does. The
    /// caller must not run the work, because it may hold a lock that the work takes.
    private func giveUpThread() {
        pthread_mutex_lock(lock)
        threadCount -= 1
        var orphaned: [Work] = []
        if threadCount == 0 { swap(&orphaned, &queue) }
        pthread_mutex_unlock(lock)
        for work in orphaned { Task.detached { self.perform(work) } }
    }

    private func serve() {
        while let work = next() { perform(work) }
    }

    private func perform(_ work: Work) {
        switch work {
        case .closure(let closure): closure()
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Returns the next piece of work; `nil` ends the thread.
    private func next() -> Work? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += Self.idleSeconds
        while queue.isEmpty {
            idleCount += 1
            let code = pthread_cond_timedwait(workArrived, lock, &end)
            idleCount -= 1
            guard code == 0 || !queue.isEmpty else {
                threadCount -= 1
                return nil
            }
        }
        return queue.removeFirst()
    }
}
