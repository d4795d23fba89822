internal import Synchronization

/// A right that one task has at a time, and others wait for in order.
final class Turn: Sendable {
    private struct Queue {
        var isTaken = false
        var next = 0
        var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    // Guards who has the turn, and who waits for it.
    private let queue = Mutex(Queue())

    /// Takes the turn; call ``giveBack()`` afterwards.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
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

    /// Takes the turn if nobody has it.
    func tryTake() -> Bool {
        queue.withLock { queue in
            guard !queue.isTaken else { return false }
            queue.isTaken = true
            return true
        }
    }

    /// Passes the turn to the task that has waited longest.
    func giveBack() {
        let next = queue.withLock { queue -> CheckedContinuation<Bool, Never>? in
            guard !queue.waiters.isEmpty else {
                queue.isTaken = false
                return nil
            }
            return queue.waiters.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
