import Dispatch
import Glibc
import Synchronization
import Testing

@testable import AirframeCore

/// The numbers that handlers were called with.
private final class Calls: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }

    var all: [Int] { numbers.withLock { $0 } }
}

/// The number of handlers that are running on each queue.
private final class Running: Sendable {
    private let counts: Mutex<[Int]>

    init(_ queues: Int) { counts = Mutex(Array(repeating: 0, count: queues)) }

    @discardableResult
    func change(by difference: Int, at index: Int) -> Int {
        counts.withLock { counts in
            counts[index] += difference
            return counts[index]
        }
    }
}

@Suite("The outbox of completion handlers", .timeLimit(.minutes(1)))
struct HandlerOutboxTests {
    @Test("handlers keep their order, whether they wait or not", arguments: [false, true])
    func order(isMain: Bool) async {
        let (outbox, calls) = (HandlerOutbox(), Calls())
        let queue = isMain ? DispatchQueue.main : DispatchQueue(label: "order")
        for number in 0..<5000 {
            let mayWait = number % 7 != 0 && number % 11 != 0
            outbox.deliver(on: isMain ? .main : queue, mayWait: mayWait) { calls.add(number) }
        }
        await withCheckedContinuation { continuation in
            outbox.deliver(on: queue, mayWait: true) { continuation.resume() }
        }
        #expect(calls.all == Array(0..<5000))
    }

    @Test("each handler is called on its queue, alone if the queue is serial")
    func queues() async {
        let outbox = HandlerOutbox()
        let queues = (0..<3).map { DispatchQueue(label: "queue \($0)") } + [.main]
        let (calls, running) = (Calls(), Running(queues.count))
        await withTaskGroup { group in
            for number in 0..<400 {
                let index = number % queues.count
                group.addTask {
                    await withCheckedContinuation { continuation in
                        outbox.deliver(on: queues[index], mayWait: number % 3 > 0) {
                            dispatchPrecondition(condition: .onQueue(queues[index]))
                            if running.change(by: 1, at: index) == 1 { calls.add(number) }
                            running.change(by: -1, at: index)
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(calls.all.sorted() == Array(0..<400))
    }

    @Test("a handler on a concurrent queue can wait for one that was delivered with it")
    func concurrentQueue() async {
        let (outbox, queue) = (HandlerOutbox(), DispatchQueue(label: "concurrent", attributes: .concurrent))
        let result = await withHeldFlush(of: outbox) {
            let (second, both) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            outbox.deliver(on: queue, mayWait: true) {
                if second.wait(timeout: .now() + 30) == .success { both.signal() }
            }
            outbox.deliver(on: queue, mayWait: true) { second.signal() }
            outbox.flush()
            return both.wait(timeout: .now() + 20)
        }
        #expect(result == .success)
    }

    @Test("a handler waits for the tasks that are ready")
    func waits() async {
        let (outbox, queue, calls) = (HandlerOutbox(), DispatchQueue(label: "waits"), Calls())
        await withHeldFlush(of: outbox) {
            outbox.deliver(on: queue, mayWait: true) { calls.add(1) }
            usleep(2000)
            queue.sync {}
            #expect(calls.all == [])
        }
        await withCheckedContinuation { continuation in
            outbox.deliver(on: queue, mayWait: true) { continuation.resume() }
        }
        #expect(calls.all == [1])
    }

    @Test("waiting handlers are delivered before serialization that may take long")
    func flush() async {
        let (outbox, queue, calls) = (HandlerOutbox(), DispatchQueue(label: "flush"), Calls())
        await withHeldFlush(of: outbox) {
            outbox.deliver(on: queue, mayWait: true) { calls.add(1) }
            outbox.flush()
            queue.sync {}
            #expect(calls.all == [1])
        }
    }

    @Test("handlers that have waited for a millisecond are delivered with the next one")
    func maximumWait() async {
        let (outbox, queue, calls) = (HandlerOutbox(), DispatchQueue(label: "late"), Calls())
        let result = await withHeldFlush(of: outbox) {
            let next = DispatchSemaphore(value: 0)
            outbox.deliver(on: queue, mayWait: true) { calls.add(1) }
            usleep(2000)
            outbox.deliver(on: queue, mayWait: true) { next.signal() }
            return next.wait(timeout: .now() + 20)
        }
        #expect(result == .success)
        #expect(calls.all == [1])
    }

    @Test("the last active request's handler does not wait, and does not overtake others")
    func last() async {
        let (outbox, queue, calls) = (HandlerOutbox(), DispatchQueue(label: "last"), Calls())
        let result = await withHeldFlush(of: outbox) {
            let last = DispatchSemaphore(value: 0)
            outbox.deliver(on: queue, mayWait: true) { calls.add(1) }
            outbox.deliver(on: queue, mayWait: false) { last.signal() }
            return last.wait(timeout: .now() + 20)
        }
        #expect(result == .success)
        #expect(calls.all == [1])
    }

    /// Runs `body` while the tasks of `outbox` that deliver waiting handlers cannot run. It is synchronous, because a
    /// task that waits could not resume either.
    private func withHeldFlush<Result: Sendable>(
        of outbox: HandlerOutbox,
        _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        let executor = HeldExecutor()
        return await withTaskExecutorPreference(executor) {
            executor.hold()
            defer { executor.release() }
            return body()
        }
    }
}
