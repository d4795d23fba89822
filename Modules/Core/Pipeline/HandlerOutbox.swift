internal import AirframeTransport
package import Dispatch
internal import Synchronization

/// The completion handlers of a session's requests on their way to their queues.
///
/// Waking a queue's thread costs more than the rest of a handler's delivery. While other requests are unfinished, a
/// handler therefore waits for those of the requests that finish in the same turn of Swift's pool: a task that is
/// enqueued behind the ready ones delivers them together ([decision
/// 123](../../../Docs/Decisions/0123-handlers-reach-their-queue-together.md)). Handlers for the same serial queue are
/// called in the order of `deliver`.
final class HandlerOutbox: Sendable {
    private struct Call {
        let queue: DispatchQueue
        let handler: @Sendable () -> Void
    }

    private struct OutboxState {
        var calls: [Call] = []
        /// The time when the first of `calls` was added.
        var oldest = MonotonicInstant(nanoseconds: 0)
        var flush = Flush.idle
        /// The number of relays that have not run. A handler that is enqueued directly would overtake theirs.
        var relays = 0
    }

    /// Only one flush runs at a time, which keeps the order.
    private enum Flush {
        case idle, scheduled, running
    }

    /// What `deliver` does after it has released the lock.
    private enum Step {
        case enqueue, schedule, flush, nothing
    }

    /// The nanoseconds after which the next handler causes a flush, although ready tasks have yet to run. They may be
    /// busy with serialization, which must not delay the handlers of others by more than one of them.
    private static let maximumWait: Int64 = 1_000_000

    // Guards the calls; nothing is called while it is held.
    private let state = Mutex(OutboxState())

    /// Calls `handler` on `queue`.
    ///
    /// - Parameters:
    ///   - queue: The queue that the user named.
    ///   - mayWait: Whether requests are unfinished whose handlers may be delivered together with this one.
    ///   - handler: The completion handler with its response.
    func deliver(on queue: DispatchQueue, mayWait: Bool, _ handler: @escaping @Sendable () -> Void) {
        let now = mayWait ? SystemClock.shared.now : MonotonicInstant(nanoseconds: 0)
        let step = state.withLock { state -> Step in
            if !mayWait, state.relays == 0, case .idle = state.flush { return .enqueue }
            if state.calls.isEmpty { state.oldest = now }
            state.calls.append(Call(queue: queue, handler: handler))
            let isDue = !mayWait || now.nanoseconds - state.oldest.nanoseconds > Self.maximumWait
            switch state.flush {
            case .running: return .nothing
            case .idle where !isDue:
                state.flush = .scheduled
                return .schedule
            case .scheduled where !isDue: return .nothing
            case .idle, .scheduled:
                state.flush = .running
                return .flush
            }
        }
        switch step {
        case .enqueue: queue.async(execute: handler)
        case .schedule: scheduleFlush()
        case .flush: run()
        case .nothing: break
        }
    }

    /// Delivers the handlers that wait, because the caller is about to keep its thread busy.
    func flush() {
        let begins = state.withLock { state in
            guard case .scheduled = state.flush else { return false }
            state.flush = .running
            return true
        }
        if begins { run() }
    }

    /// Starts the flush behind the tasks that are ready, which run at the priority of exchanges as well.
    private func scheduleFlush() {
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        _ = ThrowingTask.started(on: executor, priority: .exchange) { self.flush() }
    }

    /// Delivers handlers until none is left.
    private func run() {
        while true {
            let calls = state.withLock { state in
                if state.calls.isEmpty { state.flush = .idle }
                defer { state.calls = [] }
                return state.calls
            }
            guard !calls.isEmpty else { return }
            var rest = calls[...]
            while let first = rest.first {
                let isMain = first.queue.isMain
                let batch = rest.prefix { $0.queue === first.queue || isMain && $0.queue.isMain }
                rest = rest.dropFirst(batch.count)
                send(batch.map(\.handler), to: first.queue, isMain: isMain)
            }
        }
    }

    /// Enqueues `handlers`, which wakes the queue's thread at most once.
    private func send(_ handlers: [@Sendable () -> Void], to queue: DispatchQueue, isMain: Bool) {
        if isMain {
            // The queue is serial, so that one block can call all of them.
            queue.async { for handler in handlers { handler() } }
            return
        }
        let isAlone = state.withLock { state in
            if handlers.count == 1, state.relays == 0 { return true }
            state.relays += 1
            return false
        }
        guard !isAlone else { return queue.async(execute: handlers[0]) }
        // The queue may be concurrent, so that each handler needs a block of its own. To enqueue the blocks from a
        // thread of the queue wakes no thread of a serial queue.
        queue.async { [self] in
            for handler in handlers { queue.async(execute: handler) }
            state.withLock { $0.relays -= 1 }
        }
    }
}

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Whether this is the main queue, of which each access to `DispatchQueue.main` makes another object.
    fileprivate var isMain: Bool { getSpecific(key: Self.mainKey) != nil }
}

extension Request {
    /// Calls a completion handler on its queue.
    package func deliver(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
        context.handlerOutbox.deliver(on: queue, mayWait: !context.activeRequests.isEmpty, handler)
    }

    /// Delivers the completion handlers of other requests that wait for more, before the caller keeps its thread busy.
    package func deliverWaitingHandlers() { context.handlerOutbox.flush() }
}
