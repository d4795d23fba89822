internal import Synchronization

/// Decides whether an exchange that is alone polls its socket itself for a moment before it leaves the wait to the
/// reactor.
///
/// Waking a task through the reactor takes two changes of threads, which cost as much as everything else in a small
/// request (10 to 25 µs each). A thread of the pool must not be held for long, but for less time than those changes
/// take nothing is lost. After a miss, the next attempts are skipped: one, then two, four and so on up to 256, until
/// one succeeds.
final class SpinBudget: Sendable {
    /// How long a thread is held at most, in nanoseconds.
    static let limit = 200_000

    private static let longestPause = 256
    private static let turnLength: UInt = 8

    /// How many waits are still left to the reactor.
    private let pause = Atomic(0)
    /// How many it will be after the next miss.
    private let nextPause = Atomic(1)
    private let hitCount = Atomic<UInt>(0)

    /// Returns whether to poll this time.
    func isWorthwhile() -> Bool {
        guard pause.load(ordering: .relaxed) > 0 else { return true }
        pause.subtract(1, ordering: .relaxed)
        return false
    }

    /// Records that the socket became ready in time.
    ///
    /// - Returns: Whether to let other tasks have the thread now: tasks that would send as well may wait for it.
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
