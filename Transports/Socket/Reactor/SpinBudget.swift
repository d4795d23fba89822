internal import AirframeWire
internal import Synchronization

/// Decides whether the only exchange in flight spins on its socket before it leaves the wait to the reactor.
///
/// Waking a task through the reactor takes two thread switches, 10 to 25 µs each, as much as the rest of a small
/// request. A spin waits on the task's own thread instead, for at most 2 ms.
///
/// A spin occupies a thread of Swift's pool. Where requests are concurrent, another request may be waiting for that
/// thread to begin, and exchanges therefore spin only after ``solitude`` in a row have begun alone.
final class SpinBudget: Sendable {
    /// The maximum duration of a spin that was worth its thread, in nanoseconds.
    static let limit: Int64 = 500_000
    /// The timeout of a spin in nanoseconds. Longer than ``limit``, because a short timeout makes the kernel program
    /// the processor's timer (`Docs/Decisions/0142-a-spin-has-a-long-timeout.md`).
    static let timeout = 2_000_000
    /// The number of exchanges in a row that must have begun while no other was in flight.
    static let solitude = 8

    /// The total duration of hits after which the thread is yielded, in nanoseconds.
    private static let turnLength: Int64 = 2_000_000

    private let backOff = BackOff()
    /// The number of exchanges in a row that have begun alone, up to ``solitude``.
    private let aloneCount = Atomic(SpinBudget.solitude)
    /// The total duration of hits since the thread was last yielded.
    private let turn = Atomic<Int64>(0)

    /// Records that an exchange begins. Stores only on a change, so that cores do not contend for the cache line.
    func noteExchange(isAlone: Bool) {
        let count = aloneCount.load(ordering: .relaxed)
        let next = isAlone ? min(count + 1, Self.solitude) : 0
        if next != count { aloneCount.store(next, ordering: .relaxed) }
    }

    /// Returns whether to spin this time.
    func isWorthwhile() -> Bool { aloneCount.load(ordering: .relaxed) == Self.solitude && backOff.isDue() }

    /// Records that the socket became ready.
    ///
    /// - Parameter duration: The duration of the spin in nanoseconds. If it is longer than ``limit``, the next spins
    ///   are skipped as after a miss.
    /// - Returns: Whether to yield the thread, for which other tasks that want to send may be waiting.
    func recordHit(after duration: Int64) -> Bool {
        guard duration <= Self.limit else {
            backOff.recordFailure()
            return true
        }
        backOff.recordSuccess()
        guard turn.wrappingAdd(duration, ordering: .relaxed).newValue >= Self.turnLength else { return false }
        turn.store(0, ordering: .relaxed)
        return true
    }

    /// Records that the socket did not become ready.
    func recordMiss() { backOff.recordFailure() }
}
