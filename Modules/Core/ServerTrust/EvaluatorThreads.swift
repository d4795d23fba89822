internal import Foundation

/// Threads for evaluators that may block.
///
/// A thread is started when none is idle, up to a maximum, and ends after a few seconds without work. A thread that an
/// evaluator blocks is lost to the others until the evaluator returns; with all of them blocked, evaluations wait in
/// the queue until their own limit passes.
///
/// `@unchecked Sendable`: `condition` guards all that changes.
package final class EvaluatorThreads: @unchecked Sendable {
    package static let shared = EvaluatorThreads(maximum: 64)

    private let maximum: Int
    private let condition = NSCondition()
    private var queue: [@Sendable () -> Void] = []
    private var threadCount = 0
    private var idleCount = 0

    /// - Parameter maximum: The most threads at once.
    package init(maximum: Int) { self.maximum = maximum }

    /// Runs `work` on one of the threads, as soon as one is free.
    package func run(_ work: @escaping @Sendable () -> Void) {
        condition.lock()
        defer { condition.unlock() }
        queue.append(work)
        guard idleCount < queue.count else { return condition.signal() }
        guard threadCount < maximum else { return }
        threadCount += 1
        let thread = Thread { [self] in serve() }
        thread.name = "airframe-trust"
        thread.start()
    }

    private func serve() {
        while let work = next() { work() }
    }

    /// The next piece of work; `nil` ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: 5)
        while queue.isEmpty {
            idleCount += 1
            let isInTime = condition.wait(until: end)
            idleCount -= 1
            guard isInTime || !queue.isEmpty else {
                threadCount -= 1
                return nil
            }
        }
        return queue.removeFirst()
    }
}
