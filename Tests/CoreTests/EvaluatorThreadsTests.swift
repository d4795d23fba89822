import AirframeCore
import Foundation
import Synchronization
import Testing

@Suite("Threads for evaluators", .timeLimit(.minutes(1)))
struct EvaluatorThreadsTests {
    /// What the pieces of work note.
    private final class Log: Sendable {
        let counts = Mutex((running: 0, most: 0, done: 0))

        func work(for duration: TimeInterval = 0) {
            counts.withLock {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            if duration > 0 { Thread.sleep(forTimeInterval: duration) }
            counts.withLock {
                $0.running -= 1
                $0.done += 1
            }
        }
    }

    private func run(_ count: Int, on threads: EvaluatorThreads, _ work: @escaping @Sendable () -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        threads.run {
                            work()
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }

    @Test("no more threads than the maximum run at once, and what waits for one runs later")
    func maximum() async {
        let log = Log()
        await run(6, on: EvaluatorThreads(maximum: 2)) { log.work(for: 0.02) }
        let counts = log.counts.withLock(\.self)
        #expect(counts.most == 2 && counts.done == 6)
    }

    @Test("work from many tasks at once is all done")
    func throughput() async {
        let log = Log()
        let threads = EvaluatorThreads(maximum: 4)
        for _ in 0..<2 { await run(500, on: threads) { log.work() } }
        #expect(log.counts.withLock(\.done) == 1000)
    }
}
