import AirframeTransport
import Foundation
import Synchronization
import Testing

@Suite("Threads for work that blocks", .timeLimit(.minutes(1)))
struct WorkerThreadsTests {
    /// The record of the work.
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

    private func run(_ count: Int, on threads: WorkerThreads, _ work: @escaping @Sendable () -> Void) async {
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

    @Test("at most the maximum number of threads run concurrently, and the remaining work waits")
    func maximum() async {
        let log = Log()
        await run(6, on: WorkerThreads(named: "test", maximum: 2)) { log.work(for: 0.02) }
        let counts = log.counts.withLock(\.self)
        #expect(counts.most == 2 && counts.done == 6)
    }

    @Test("all work of concurrent tasks is done")
    func throughput() async {
        let log = Log()
        let threads = WorkerThreads(named: "test", maximum: 4)
        for _ in 0..<2 { await run(500, on: threads) { log.work() } }
        #expect(log.counts.withLock(\.done) == 1000)
    }

    @Test("a task with this executor preference runs on the threads, and occupies none while it is suspended")
    func executor() async {
        let threads = WorkerThreads(named: "test", maximum: 1)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task(executorPreference: threads) {
            for await _ in gate { return Self.threadName }
            return ""
        }
        let name = await Task(executorPreference: threads) { Self.threadName }.value
        #expect(name == "test")
        open.yield()
        #expect(await waiting.value == "test")
    }

    @Test("result(of:) returns the result of the work, or throws its error")
    func result() async throws {
        let threads = WorkerThreads(named: "test", maximum: 1)
        #expect(try await threads.result { Self.threadName } == "test")
        await #expect(throws: CancellationError.self) { try await threads.result { throw CancellationError() } }
    }

    @TaskLocal private static var isInCaller = false

    @Test("if no thread can be started, the work is done, but not by its caller, which may hold a lock")
    func noThread() async {
        let threads = WorkerThreads(named: "test", maximum: 1) { _, _ in EAGAIN }
        let wasDoneByCaller = await Self.$isInCaller.withValue(true) {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                threads.run { continuation.resume(returning: Self.isInCaller) }
            }
        }
        #expect(!wasDoneByCaller)
        let isDone = await Task(executorPreference: threads) { true }.value
        #expect(isDone)
    }

    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }
}
