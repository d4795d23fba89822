internal import Synchronization

/// Decides whether to try something that is worth its cost only if it succeeds often.
///
/// After a failure, the next attempts are skipped: one, then two, four and so on up to 256, until one succeeds.
/// Several threads may use it. They may lose a count to each other, which costs or saves an attempt.
package struct BackOff: ~Copyable, Sendable {
    private static let longestPause = 256

    /// The number of attempts that are still to be skipped.
    private let pause = Atomic(0)
    /// The number of attempts to skip after the next failure.
    private let nextPause = Atomic(1)

    package init() {}

    /// Returns whether to try this time.
    package func isDue() -> Bool {
        guard pause.load(ordering: .relaxed) > 0 else { return true }
        pause.subtract(1, ordering: .relaxed)
        return false
    }

    /// Records that the attempt succeeded.
    package func recordSuccess() { nextPause.store(1, ordering: .relaxed) }

    /// Records that the attempt failed.
    ///
    /// - Parameter isCostly: Whether the longest pause should follow.
    package func recordFailure(isCostly: Bool = false) {
        let length = isCostly ? Self.longestPause : nextPause.load(ordering: .relaxed)
        pause.store(length, ordering: .relaxed)
        nextPause.store(min(2 * length, Self.longestPause), ordering: .relaxed)
    }
}
