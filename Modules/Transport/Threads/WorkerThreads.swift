#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Threads for work that may block: reads of files, and evaluators of users.
///
/// Swift's own pool has one thread for each core, and a few blocked ones stop every task of the program. Here a thread
/// is started when none is idle, up to a maximum, and ends after five seconds without work. With all of them blocked,
/// work waits in the queue.
///
/// As a `TaskExecutor` it runs all of a task. A task that suspends holds no thread.
///
/// `@unchecked Sendable`: `lock` guards all that changes.
package final class WorkerThreads: TaskExecutor, @unchecked Sendable {
    /// The threads for evaluators that block.
    package static let evaluators = WorkerThreads(named: "airframe-trust", maximum: 64)
    /// The threads that read files which are sent. 64: a file on a server that does not answer holds one until the
    /// server does, and must not stop the files of other servers.
    package static let files = WorkerThreads(named: "airframe-files", maximum: 64)

    private enum Work {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)
    }

    private static let idleSeconds = 5

    private let name: String
    private let maximum: Int
    // A condition variable, which `Mutex` cannot be waited on with. They live as long as the threads, whose closures
    // retain the object.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let workArrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [Work] = []
    private var threadCount = 0
    private var idleCount = 0

    /// - Parameters:
    ///   - name: The threads' name, of at most 15 bytes.
    ///   - maximum: The maximum number of threads.
    package init(named name: String, maximum: Int) {
        self.name = name
        self.maximum = maximum
        pthread_mutex_init(lock, nil)
        pthread_cond_init(workArrived, nil)
    }

    deinit {
        pthread_cond_destroy(workArrived)
        pthread_mutex_destroy(lock)
        workArrived.deallocate()
        lock.deallocate()
    }

    /// Runs `work` on one of the threads, as soon as one is free.
    package func run(_ work: @escaping @Sendable () -> Void) { enqueue(.closure(work)) }

    /// Runs `work` on one of the threads and returns its result. The caller waits without blocking its thread, and
    /// until `work` returns, also when it is cancelled.
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
        if needsThread, DetachedThread.start(named: name, { self.serve() }) != 0 { giveUpThread() }
    }

    /// No thread could be started. Other threads take the work; without any, the caller's own must do it.
    private func giveUpThread() {
        pthread_mutex_lock(lock)
        threadCount -= 1
        var orphaned: [Work] = []
        if threadCount == 0 { swap(&orphaned, &queue) }
        pthread_mutex_unlock(lock)
        for work in orphaned { perform(work) }
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

    /// The next piece of work; `nil` ends the thread.
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
