internal import Synchronization

/// Where the one task that waits for a descriptor in one direction, and the reactor that sees it become ready, meet.
///
/// A word that is idle, ready, or the continuation of the task: no lock, and no memory for a wait. Readiness that no
/// task waits for is kept for the next wait. It is a hint: the task that is woken tries, and waits again if it was too
/// early.
struct ReadySlot: ~Copyable, Sendable {
    typealias Continuation = UnsafeContinuation<Void, Never>

    private static let idle: UInt = 0
    private static let ready: UInt = 1

    private let state = Atomic<UInt>(ReadySlot.idle)

    /// Whether the descriptor has become ready since this was last asked.
    func consume() -> Bool {
        state.load(ordering: .relaxed) == Self.ready
            && state.compareExchange(expected: Self.ready, desired: Self.idle, ordering: .acquiring).exchanged
    }

    /// Forgets that it has become ready: what is there is about to be read.
    func forgetReadiness() { _ = consume() }

    /// Whether the descriptor has become ready; it stays so.
    var isReady: Bool { state.load(ordering: .acquiring) == Self.ready }

    /// Returns when the descriptor is, or has become, ready.
    nonisolated(nonsending) func wait() async {
        guard !consume() else { return }
        await withUnsafeContinuation { park($0) }
    }

    /// Resumes `continuation` when the descriptor is, or has become, ready.
    func park(_ continuation: Continuation) {
        let bits = unsafeBitCast(continuation, to: UInt.self)
        let isParked = state.compareExchange(
            expected: Self.idle,
            desired: bits,
            ordering: .acquiringAndReleasing
        ).exchanged
        guard !isParked else { return }
        // There is one waiter at a time, so it was ready.
        state.store(Self.idle, ordering: .releasing)
        continuation.resume()
    }

    /// The descriptor is ready, or its waiter must look at something else. Returns whether a task waited.
    @discardableResult
    func signal() -> Bool {
        var current = state.load(ordering: .acquiring)
        while current != Self.ready {
            let next = current == Self.idle ? Self.ready : Self.idle
            let (exchanged, original) = state.compareExchange(
                expected: current,
                desired: next,
                ordering: .acquiringAndReleasing
            )
            if exchanged {
                guard current != Self.idle else { return false }
                unsafeBitCast(current, to: Continuation.self).resume()
                return true
            }
            current = original
        }
        return false
    }
}
