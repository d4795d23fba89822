internal import Synchronization

/// A right that one task holds at a time. Other tasks wait for it in order.
final class Turn: Sendable {
    private struct Queue {
        var isTaken = false
        var next = 0
        var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    // Guards the holder and the waiters.
    private let queue = Mutex(Queue())

    /// Takes the turn. Call ``giveBack()`` afterwards.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func take() async throws {
        guard !tryTake() else { return }
        let id = queue.withLock { queue in
            queue.next &+= 1
            return queue.next
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = queue.withLock { queue -> Bool? in
                    if Task.isCancelled { return false }
                    if !queue.isTaken {
                        queue.isTaken = true
                        return true
                    }
                    queue.waiters.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = queue.withLock { queue in
                queue.waiters.firstIndex { $0.id == id }.map { queue.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
        guard hasTurn else { throw CancellationError() }
    }

    /// Takes the turn if no task holds it.
    func tryTake() -> Bool {
        queue.withLock { queue in
            guard !queue.isTaken else { return false }
            queue.isTaken = true
            return true
        }
    }

    /// Passes the turn to the first waiter.
    func giveBack() {
        let hasWaiters = queue.withLock { queue in
            queue.isTaken = !queue.waiters.isEmpty
            return queue.isTaken
        }
        if hasWaiters { passOn() }
    }

    /// Not in ``giveBack()``, where optional continuations took 250 instructions with no waiter.
    private func passOn() {
        let next = queue.withLock { queue -> CheckedContinuation<Bool, Never>? in
            // The waiters may have been cancelled meanwhile.
            guard !queue.waiters.isEmpty else {
                queue.isTaken = false
                return nil
            }
            return queue.waiters.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
