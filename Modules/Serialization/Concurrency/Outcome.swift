public import Synchronization

/// A value that comes once, and those who wait for it.
///
/// Open to inlining, as the tasks that wait on it are: without that every `await` of a value looks up the types of its
/// generics at run time, which costs as much as sending the request. For the same reason the lock guards a phase that is not
/// generic, and the value stands beside it.
///
/// `@unchecked Sendable`: the value is set with the lock `phase` held, and immutable once that says that it is settled.
@usableFromInline
final class Outcome<Value: Sendable>: @unchecked Sendable {
    // Guards the waiting, and the value.
    @usableFromInline
    let phase = Mutex(OutcomePhase.unawaited)

    @usableFromInline
    private(set) var value: Value?

    init() {}

    /// Gives the value. A second one is dropped.
    func settle(_ value: Value) {
        hold(value)
        deliver()
    }

    /// Keeps a value that is to be delivered later, unless another one is held before that.
    func hold(_ value: Value) {
        phase.withLock { if !$0.isSettled { self.value = value } }
    }

    /// Gives the value that is held.
    func deliver() {
        let (waiter, others) = phase.withLock { phase -> (OutcomePhase.Waiter?, [OutcomePhase.Waiter]) in
            if case .settled = phase { return (nil, []) }
            return phase.settle()
        }
        waiter?.resume()
        for waiter in others { waiter.resume() }
    }

    /// Returns the value, once it is there.
    @inlinable
    func awaited() async -> Value {
        while true {
            if let settled { return settled }
            // Each waiter is taken out of the phase once, by whoever settles it: nothing is left to check at run time.
            await withUnsafeContinuation { waiter in
                let mustWait = phase.withLock { $0.wait(waiter) }
                if !mustWait { waiter.resume() }
            }
        }
    }

    /// The value, if it is there.
    @inlinable
    var settled: Value? {
        phase.withLock { $0.isSettled } ? value : nil
    }
}

/// Where an ``Outcome`` stands.
@usableFromInline
enum OutcomePhase: Sendable {
    @usableFromInline
    typealias Waiter = UnsafeContinuation<Void, Never>

    case unawaited
    /// Somebody waits; rarely more than one.
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

    /// Returns who waited.
    mutating func settle() -> (Waiter?, [Waiter]) {
        defer { self = .settled }
        guard case .awaited(let waiter, let others) = self else { return (nil, []) }
        return (waiter, others)
    }
}
