internal import AirframeTransport
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A detector of the moment at which all threads of the process are at rest, so that no task can be about to use a
/// clock.
///
/// The result must not depend on the load of the machine. A thread that is ready to run and gets no processor is waited
/// for without limit. A thread that runs on is waited for until it has used a budget of processor time.
///
/// All clocks share one detector, because waiters for quiet must not disturb each other. It has a thread while there is
/// a waiter.
final class ProcessQuiet: Sendable {
    static let shared = ProcessQuiet()

    private struct Waiter: Sendable {
        let continuation: UnsafeContinuation<Void, Never>
        /// In nanoseconds.
        let budget: Int64
        let start: MonotonicInstant
        /// Whether the waiter was there before the last check began.
        var isReady = false
        /// The processor time of the running threads when they were first seen.
        var processorTimes: [Int32: Int64] = [:]

        mutating func accepts(_ running: [ThreadCensus.RunningThread]?, at now: MonotonicInstant) -> Bool {
            let waited = start.duration(to: now)
            guard isReady else { return false }
            guard let running else { return waited >= .nanoseconds(budget) }
            var isQuiet = true
            for thread in running {
                let first = processorTimes[thread.number] ?? thread.processorTime
                processorTimes[thread.number] = first
                let (had, isOverflown) = thread.processorTime.subtractingReportingOverflow(first)
                if had < budget, !isOverflown { isQuiet = false }
            }
            return isQuiet || waited >= ProcessQuiet.longest
        }
    }

    private struct WatchState {
        var waiters: [Waiter] = []
        var isWatching = false
    }

    /// The longest wait. After it the threads count as quiet, because the system's reports must be wrong.
    private static let longest = Duration.seconds(10)

    // Guards the waiters. No waiter is resumed while it is held.
    private let state = Mutex(WatchState())

    /// Returns when all threads are at rest, except those that have used `budget` of processor time meanwhile.
    ///
    /// If the system does not report threads, it returns after that much real time, or immediately.
    func wait(budget: Duration) async {
        // Nearly always all threads but this one are at rest already.
        if let running = ThreadCensus.running(), running.isEmpty { return }
        await withUnsafeContinuation { continuation in
            let waiter = Waiter(
                continuation: continuation,
                budget: MonotonicInstant(nanoseconds: 0).advanced(by: budget).nanoseconds,
                start: SystemClock.shared.now
            )
            let mustStart = state.withLock { state in
                state.waiters.append(waiter)
                defer { state.isWatching = true }
                return !state.isWatching
            }
            if mustStart { startWatching() }
        }
    }

    /// Checks repeatedly until there is no waiter.
    private func watch() {
        var pause: UInt32 = 50
        while true {
            state.withLock { state in
                for index in state.waiters.indices { state.waiters[index].isReady = true }
            }
            let running = ThreadCensus.running()
            let now = SystemClock.shared.now
            let (quiet, isOver) = state.withLock { state -> ([Waiter], Bool) in
                var quiet: [Waiter] = []
                var others: [Waiter] = []
                for var waiter in state.waiters {
                    if waiter.accepts(running, at: now) { quiet.append(waiter) } else { others.append(waiter) }
                }
                state.waiters = others
                state.isWatching = !others.isEmpty
                return (quiet, others.isEmpty)
            }
            for waiter in quiet { waiter.continuation.resume() }
            if isOver { return }
            pause = quiet.isEmpty ? min(pause * 2, 1_000) : 50
            usleep(pause)
        }
    }

    #if os(Linux)
        private func startWatching() {
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { _ in
                    ProcessQuiet.shared.watch()
                    return nil
                }, nil)
            if code == 0 { pthread_detach(thread) } else { giveUp() }
        }
    #else
        private func startWatching() { Task.detached { self.giveUp() } }
    #endif

    private func giveUp() {
        let waiters = state.withLock { state in
            state.isWatching = false
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume() }
    }
}
