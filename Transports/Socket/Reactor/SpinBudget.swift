internal import Synchronization

/// Decides whether the only exchange in flight spins on its socket before it leaves the wait to the reactor.
///
/// Waking a task through the reactor takes two thread switches, 10 to 25 µs each, as much as the rest of a small
/// request. Spinning for less time than that costs nothing in comparison. After a miss, the next attempts are skipped:
/// one, then two, four and so on up to 256, until one succeeds.
final class SpinBudget: Sendable {
    /// The maximum time to spin, in nanoseconds.
    static let limit = 200_000

    private static let longestPause = 256
    private static let turnLength: UInt = 8

    /// The number of attempts that are still to be skipped.
    private let pause = Atomic(0)
    /// The number of attempts to skip after the next miss.
    private let nextPause = Atomic(1)
    private let hitCount = Atomic<UInt>(0)

    /// Returns whether to spin this time.
    func isWorthwhile() -> Bool {
        guard pause.load(ordering: .relaxed) > 0 else { return true }
        pause.subtract(1, ordering: .relaxed)
        return false
    }

    /// Records that the socket became ready in time.
    ///
    /// - Returns: Whether to yield the thread, for which other tasks that want to send may be waiting.
    func recordHit() -> Bool {
        nextPause.store(1, ordering: .relaxed)
        return hitCount.wrappingAdd(1, ordering: .relaxed).newValue % Self.turnLength == 0
    }

    /// Records that the socket did not become ready in time.
    func recordMiss() {
        let length = nextPause.load(ordering: .relaxed)
        pause.store(length, ordering: .relaxed)
        nextPause.store(min(2 * length, Self.longestPause), ordering: .relaxed)
    }
}
