internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A bounded pool of threads for blocking name lookups.
///
/// Concurrent callers for one name share one lookup. A queued lookup is dropped when its last caller leaves. A lookup
/// that has started occupies its thread until the C library returns, and later callers for the name join it. Threads
/// end when the queue is empty.
package final class LookupPool: Sendable {
    package typealias Answer = Result<[String], any Error>
    /// One caller's wait for the addresses of a name.
    typealias Question = FirstAnswer<[String]>

    /// The process's pool. 32 threads: a name whose DNS server does not answer blocks a thread for 10 s and more, and a
    /// few such names must not block all others. A blocked thread takes some 20 KiB.
    package static let shared = LookupPool(threadLimit: 32, lookUp: SystemNameResolver.lookUp)

    private struct Lookup {
        var waiting: [Question] = []
        var isRunning = false
    }

    private struct PoolState {
        var lookups: [String: Lookup] = [:]
        /// The names to look up next. A name without an entry in `lookups`, or with a running one, is skipped.
        var queue: [String] = []
        var queueStart = 0
        var threadCount = 0
    }

    private let threadLimit: Int
    private let lookUp: @Sendable (String) -> Answer
    // Guards the lookups, the queue and the number of threads.
    private let state = Mutex(PoolState())

    /// - Parameters:
    ///   - threadLimit: The maximum number of threads.
    ///   - lookUp: Looks a name up. It may block.
    package init(threadLimit: Int, lookUp: @escaping @Sendable (String) -> Answer) {
        self.threadLimit = threadLimit
        self.lookUp = lookUp
    }

    /// The number of threads that look names up.
    package var threadCount: Int { state.withLock { $0.threadCount } }

    /// Looks up `host` on a thread of the pool, and gives the answer to `question`.
    func ask(_ host: String, _ question: Question) {
        let needsThread = state.withLock { state in
            if state.lookups[host] == nil {
                state.lookups[host] = Lookup()
                state.queue.append(host)
            }
            state.lookups[host]?.waiting.append(question)
            guard state.queueStart < state.queue.count, state.threadCount < threadLimit else { return false }
            state.threadCount += 1
            return true
        }
        if needsThread { startThread() }
    }

    /// Withdraws a question. Drops a queued lookup that has no other.
    func leave(_ host: String, _ question: Question) {
        state.withLock { state in
            guard var lookup = state.lookups[host] else { return }
            lookup.waiting.removeAll { $0 === question }
            state.lookups[host] = lookup.waiting.isEmpty && !lookup.isRunning ? nil : lookup
            // Dropped names stay in the queue until they are more than half of it.
            let length = state.queue.count - state.queueStart
            guard length > 64, length > 2 * state.lookups.count else { return }
            var seen: Set<String> = []
            state.queue = state.queue[state.queueStart...].filter { name in
                state.lookups[name]?.isRunning == false && seen.insert(name).inserted
            }
            state.queueStart = 0
        }
    }

    // MARK: Threads

    private func startThread() {
        let code = DetachedThread.start(named: "airframe-names") {
            while let host = self.next() { self.finish(host, self.lookUp(host)) }
        }
        if code != 0 { failQueue(code) }
    }

    /// Returns the next name to look up; `nil` ends the thread.
    private func next() -> String? {
        state.withLock { state in
            while state.queueStart < state.queue.count {
                let host = state.queue[state.queueStart]
                state.queueStart += 1
                if state.queueStart > 64, state.queueStart * 2 > state.queue.count {
                    state.queue.removeFirst(state.queueStart)
                    state.queueStart = 0
                }
                guard state.lookups[host]?.isRunning == false else { continue }
                state.lookups[host]?.isRunning = true
                return host
            }
            state.queue.removeAll(keepingCapacity: state.queue.count < 64)
            state.queueStart = 0
            state.threadCount -= 1
            return nil
        }
    }

    private func finish(_ host: String, _ answer: Answer) {
        let lookup = state.withLock { $0.lookups.removeValue(forKey: host) }
        for question in lookup?.waiting ?? [] { question.give(answer) }
    }

    /// Handles a failed start of a thread: other threads serve the queue; if there is none, all lookups fail.
    private func failQueue(_ code: Int32) {
        let failed = state.withLock { state -> [(String, Lookup)] in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return [] }
            defer {
                state.lookups = [:]
                state.queue = []
                state.queueStart = 0
            }
            return state.lookups.map { ($0.key, $0.value) }
        }
        let message = "no thread to look the name up on: \(strerror(code).map { String(cString: $0) } ?? "\(code)")"
        for (host, lookup) in failed {
            let error = NameResolutionError(host: host, message: message)
            for question in lookup.waiting { question.give(.failure(error)) }
        }
    }
}
