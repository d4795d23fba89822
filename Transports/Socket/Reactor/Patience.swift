internal import Synchronization

/// Whether an exchange that is alone waits for its socket itself, for a moment, before it leaves that to the reactor.
///
/// The reactor costs two changes of threads, as much as all else of a small request. A thread that tasks run on must not be
/// held, but nobody misses it for less time than those changes take. If the answer does not come that soon, it is tried less
/// and less often.
final class Patience: Sendable {
    /// How long a thread is held at most, in nanoseconds.
    static let limit = 200_000

    private static let longestPause = 256
    private static let turnLength: UInt = 8

    /// How many waits are still to be left to the reactor.
    private let pause = Atomic(0)
    /// How many it will be after the next vain attempt.
    private let nextPause = Atomic(1)
    private let rewardCount = Atomic<UInt>(0)

    /// Whether to try.
    func isWorthwhile() -> Bool {
        guard pause.load(ordering: .relaxed) > 0 else { return true }
        pause.subtract(1, ordering: .relaxed)
        return false
    }

    /// The exchange got what it waited for. Returns whether it is time to let other tasks have the thread: those that would
    /// send as well may wait for just that.
    func noteReward() -> Bool {
        nextPause.store(1, ordering: .relaxed)
        return rewardCount.wrappingAdd(1, ordering: .relaxed).newValue % Self.turnLength == 0
    }

    /// The exchange has waited in vain.
    func noteDisappointment() {
        let length = nextPause.load(ordering: .relaxed)
        pause.store(length, ordering: .relaxed)
        nextPause.store(min(2 * length, Self.longestPause), ordering: .relaxed)
    }
}
