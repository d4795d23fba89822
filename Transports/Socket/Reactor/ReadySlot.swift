internal import Synchronization

/// A slot in which one task waits until the reactor reports a descriptor as ready in one direction.
///
/// The state is one word: idle, ready, or the task's continuation. A wait takes no lock and allocates nothing.
/// Readiness without a waiter is kept for the next wait. Readiness is a hint: the woken task tries, and waits again if
/// nothing was ready.
struct ReadySlot: ~Copyable, Sendable {
    typealias Continuation = UnsafeContinuation<Void, Never>

    private static let idle: UInt = 0
    private static let ready: UInt = 1

    private let state = Atomic<UInt>(ReadySlot.idle)

    /// Returns whether the descriptor has become ready since the last call.
    func consume() -> Bool {
        state.load(ordering: .relaxed) == Self.ready
            && state.compareExchange(expected: Self.ready, desired: Self.idle, ordering: .acquiring).exchanged
    }

    /// Clears the readiness, before a read.
    func forgetReadiness() { _ = consume() }

    /// Whether the descriptor has become ready. This does not clear the readiness.
    var isReady: Bool { state.load(ordering: .acquiring) == Self.ready }

    /// Waits until the descriptor is ready or the slot is signalled.
    nonisolated(nonsending) func wait() async {
        guard !consume() else { return }
        await withUnsafeContinuation { park($0) }
    }

    /// Resumes `continuation` when the descriptor is ready or the slot is signalled.
    func park(_ continuation: Continuation) {
        if !tryPark(continuation) { continuation.resume() }
    }

    /// Keeps `continuation` until the descriptor is ready or the slot is signalled. Returns `false` if the slot was
    /// ready, which is over then, or if a task waits already: the caller must resume the continuation.
    func tryPark(_ continuation: Continuation) -> Bool {
        let bits = unsafeBitCast(continuation, to: UInt.self)
        let isParked = state.compareExchange(
            expected: Self.idle,
            desired: bits,
            ordering: .acquiringAndReleasing
        ).exchanged
        if !isParked { _ = consume() }
        return isParked
    }

    /// Signals that the descriptor is ready, or that the waiter must check its state. Returns whether a task waited.
    @discardableResult
    func signal() -> Bool {
        guard let waiter = claim() else { return false }
        waiter.resume()
        return true
    }

    /// Takes the continuation of the waiting task, which the caller must resume. If no task waits, the slot is ready.
    func claim() -> Continuation? {
        var current = state.load(ordering: .acquiring)
        while current != Self.ready {
            let next = current == Self.idle ? Self.ready : Self.idle
            let (exchanged, original) = state.compareExchange(
                expected: current,
                desired: next,
                ordering: .acquiringAndReleasing
            )
            if exchanged {
                return current == Self.idle ? nil : unsafeBitCast(current, to: Continuation.self)
            }
            current = original
        }
        return nil
    }
}
