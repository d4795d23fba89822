internal import Synchronization

/// A value that comes once, and those who wait for it.
final class Outcome<Value: Sendable>: Sendable {
    private enum State {
        case awaited([CheckedContinuation<Value, Never>])
        case settled(Value)
    }

    private let state = Mutex(State.awaited([]))

    /// Gives the value. A second one is dropped.
    func settle(_ value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard case .awaited(let waiters) = state else { return [] }
            state = .settled(value)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// The value, once it is there.
    var value: Value {
        get async {
            if let settled { return settled }
            return await withCheckedContinuation { continuation in
                let settled = state.withLock { state -> Value? in
                    switch state {
                    case .settled(let value): return value
                    case .awaited(let waiters):
                        state = .awaited(waiters + [continuation])
                        return nil
                    }
                }
                if let settled { continuation.resume(returning: settled) }
            }
        }
    }

    private var settled: Value? {
        state.withLock { state in
            if case .settled(let value) = state { value } else { nil }
        }
    }
}
