internal import Synchronization

/// Holds the sending of a request's body while the request is suspended.
///
/// Engines look at it between two pieces, so that it costs nothing where nothing is held, and a file can still go from
/// disk to socket within the kernel. What is sent already stays sent; the head of a request is not held.
package final class UploadGate: Sendable {
    private struct State {
        var isOpen = true
        var lastNumber: UInt64 = 0
        /// Who is to be told when the gate opens.
        var waiters: [UInt64: @Sendable () -> Void] = [:]
    }

    // Guards whether the gate is open, and who waits. They are told without it.
    private let state = Mutex(State())

    /// An open gate.
    package init() {}

    /// Whether bytes may be sent.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens or closes the gate.
    ///
    /// - Parameter mustHold: Whether to hold what is sent. Asked under the gate's lock: of several callers at once the
    ///   last one to ask decides, and none on news that is old.
    package func update(_ mustHold: () -> Bool) {
        let waiters = state.withLock { state in
            state.isOpen = !mustHold()
            guard state.isOpen else { return [] as [@Sendable () -> Void] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter() }
    }

    /// For an engine that cannot wait: whether bytes may be sent.
    ///
    /// - Parameter resume: Where they may not, called once, when they may.
    package func pass(orWhenOpen resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isOpen else { return true }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = resume
            return false
        }
    }

    /// Returns when bytes may be sent, or the task is cancelled.
    package func pass() async {
        let number = state.withLock { state -> UInt64? in
            guard !state.isOpen else { return nil }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !state.isOpen, !Task.isCancelled else { return false }
                    state.waiters[number] = { continuation.resume() }
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?()
        }
    }
}
