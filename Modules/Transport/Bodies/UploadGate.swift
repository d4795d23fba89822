internal import Synchronization

/// Holds the sending of a request's body while the request is suspended.
///
/// An engine that claims ``TransportFeatures/uploadSuspension`` checks the gate before it sends each piece of the body:
/// an asynchronous engine with ``pass()``, an engine with its own thread with ``pass(orWhenOpen:)``. The gate does not
/// hold the request's head.
public final class UploadGate: Sendable {
    private struct GateState {
        var isOpen = true
        var lastNumber: UInt64 = 0
        /// Called when the gate opens.
        var waiters: [UInt64: @Sendable () -> Void] = [:]
    }

    // Guards the gate's position and the waiters. Waiters are called after it is released.
    private let state = Mutex(GateState())

    /// Creates an open gate.
    public init() {}

    /// Whether bytes may be sent.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens or closes the gate.
    ///
    /// - Parameter mustHold: Returns whether to hold the body. Called with the gate's lock held, so that of several
    ///   concurrent callers the last one decides, on the latest state.
    public func update(_ mustHold: () -> Bool) {
        let waiters = state.withLock { state in
            state.isOpen = !mustHold()
            guard state.isOpen else { return [] as [@Sendable () -> Void] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter() }
    }

    /// Returns whether bytes may be sent, for an engine that cannot wait.
    ///
    /// - Parameter resume: Called once when the gate opens, if it is closed now.
    public func pass(orWhenOpen resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isOpen else { return true }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = resume
            return false
        }
    }

    /// Returns when bytes may be sent, or the task is cancelled.
    public func pass() async {
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
