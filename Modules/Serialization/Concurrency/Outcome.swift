public import Synchronization

/// A value that comes once, and those who wait for it.
///
/// Open to inlining, as the tasks that wait on it are: without that every `await` of a value looks up the types of its
/// generics at run time, which costs as much as sending the request.
@usableFromInline
final class Outcome<Value: Sendable>: Sendable {
    @usableFromInline
    typealias Waiter = UnsafeContinuation<Value, Never>

    @usableFromInline
    enum State {
        case unawaited
        /// Somebody waits; rarely more than one.
        case awaited(Waiter, others: [Waiter])
        case settled(Value)
    }

    @usableFromInline
    let state = Mutex(State.unawaited)

    init() {}

    /// Gives the value. A second one is dropped.
    func settle(_ value: Value) {
        let (waiter, others) = state.withLock { state -> (Waiter?, [Waiter]) in
            switch state {
            case .unawaited:
                state = .settled(value)
                return (nil, [])
            case .awaited(let waiter, let others):
                state = .settled(value)
                return (waiter, others)
            case .settled:
                return (nil, [])
            }
        }
        waiter?.resume(returning: value)
        for waiter in others { waiter.resume(returning: value) }
    }

    /// The value, once it is there.
    @inlinable
    var value: Value {
        get async {
            if let settled { return settled }
            // Each waiter is taken out of the state once, by whoever settles it: nothing is left to check at run time.
            return await withUnsafeContinuation { waiter in
                let settled = state.withLock { state -> Value? in
                    switch state {
                    case .unawaited: state = .awaited(waiter, others: [])
                    case .awaited(let first, let others): state = .awaited(first, others: others + [waiter])
                    case .settled(let value): return value
                    }
                    return nil
                }
                if let settled { waiter.resume(returning: settled) }
            }
        }
    }

    @inlinable
    var settled: Value? {
        state.withLock { state in
            if case .settled(let value) = state { value } else { nil }
        }
    }
}
