public import AirframeCore
public import Synchronization

/// A value that is set once, and the waiters for it.
///
/// The type is inlinable, like the tasks that wait on it: otherwise every `await` of a value looks up generic metadata
/// at run time, 2,700 of 57,100 instructions of a request. For the same reason the lock guards a phase that is not
/// generic, and the value is stored separately.
///
/// `@unchecked Sendable`: the value is set while the lock `phase` is held, and is immutable once the phase is settled.
@usableFromInline
final class ResponseOutcome<Value: Sendable>: @unchecked Sendable {
    // Guards the waiters and the value.
    @usableFromInline
    let phase = Mutex(OutcomePhase.unawaited)

    @exclusivity(unchecked) @usableFromInline
    private(set) var value: Value?

    init() {}

    /// Stores a value, unless one is set, and returns a closure that delivers it.
    func hold(_ value: consuming Value) -> @Sendable () -> Void {
        var value = Optional(value)
        phase.withLock { if !$0.isSettled { self.value = value.take() } }
        return { self.deliver() }
    }

    /// Sets the stored value.
    func deliver() {
        let (waiter, others) = phase.withLock { phase -> (OutcomePhase.Waiter?, [OutcomePhase.Waiter]) in
            if case .settled = phase { return (nil, []) }
            return phase.settle()
        }
        waiter?.resume()
        for waiter in others { waiter.resume() }
    }

    /// Returns the value once it is set.
    @inlinable
    func awaited() async -> Value {
        while true {
            if let settled { return settled }
            // The task that settles the phase takes each waiter out once, so a checked continuation would add nothing.
            await withUnsafeContinuation { waiter in
                let mustWait = phase.withLock { $0.wait(waiter) }
                if !mustWait { waiter.resume() }
            }
        }
    }

    /// Returns the value once it is set. Cancelling the current task meanwhile cancels `request`.
    @inlinable
    func awaited(cancelling request: Request?) async -> Value {
        if let settled { return settled }
        guard let request else { return await awaited() }
        return await withTaskCancellationHandler {
            await awaited()
        } onCancel: {
            request.cancel()
        }
    }

    /// The value, if it is set.
    @inlinable
    var settled: Value? {
        phase.withLock { $0.isSettled } ? value : nil
    }
}

/// The phase of a ``ResponseOutcome``.
@usableFromInline
enum OutcomePhase: Sendable {
    @usableFromInline
    typealias Waiter = UnsafeContinuation<Void, Never>

    case unawaited
    /// Tasks are waiting, rarely more than one.
    case awaited(Waiter, others: [Waiter])
    case settled

    @usableFromInline
    var isSettled: Bool { if case .settled = self { true } else { false } }

    /// Returns whether `waiter` has to wait.
    @usableFromInline
    mutating func wait(_ waiter: Waiter) -> Bool {
        switch self {
        case .unawaited: self = .awaited(waiter, others: [])
        case .awaited(let first, let others): self = .awaited(first, others: others + [waiter])
        case .settled: return false
        }
        return true
    }

    /// Returns the waiters.
    mutating func settle() -> (Waiter?, [Waiter]) {
        defer { self = .settled }
        guard case .awaited(let waiter, let others) = self else { return (nil, []) }
        return (waiter, others)
    }
}
