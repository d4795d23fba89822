/// Decides when an engine's thread lends its poll, and when it takes the poll back because the pool does not poll.
///
/// A loan depends on the pool: while CPU-bound tasks or other programs occupy its threads, no task polls. The thread
/// checks after each ``tick``. It takes the turn back if there was neither a poll nor progress of an exchange in that
/// time, or no poll for ``maximumPollGap`` ticks. Then it does not lend for the next 1, 2, 4 … 256 opportunities. The
/// engine's thread owns the value.
package struct LoanWatch: Sendable {
    /// The interval of the checks, in nanoseconds.
    package static let tick: Int64 = 1_000_000
    /// The number of ticks without a poll for which progress of exchanges is sufficient.
    static let maximumPollGap = 15
    static let longestPause = 256

    /// The number of opportunities to skip before the next loan.
    private var pause = 0
    /// The number of opportunities to skip after the next loan that is taken back.
    private var nextPause = 1
    private var lookedAt: Int64 = 0
    /// The number of ticks without a poll.
    private var idleTicks = 0

    package init() {}

    /// Returns whether to lend at this opportunity.
    package mutating func isWorthwhile() -> Bool {
        guard pause > 0 else { return true }
        pause -= 1
        return false
    }

    /// Begins a loan.
    ///
    /// - Parameter now: The current instant in nanoseconds of the monotonic clock.
    package mutating func begin(at now: Int64) {
        lookedAt = now
        idleTicks = 0
    }

    /// Checks the loan.
    ///
    /// - Parameters:
    ///   - now: The current instant in nanoseconds of the monotonic clock.
    ///   - takeProgress: Returns whether the task has polled, and whether an exchange has moved, since the last call.
    ///     Called once in a tick.
    /// - Returns: Whether to take the turn back.
    package mutating func look(
        at now: Int64,
        _ takeProgress: () -> (hasPolled: Bool, hasMoved: Bool)
    ) -> Bool {
        guard now &- lookedAt >= Self.tick else { return false }
        lookedAt = now
        let progress = takeProgress()
        guard !progress.hasPolled else {
            idleTicks = 0
            return false
        }
        idleTicks += 1
        return !progress.hasMoved || idleTicks >= Self.maximumPollGap
    }

    /// Ends a loan that the task gave back.
    package mutating func wasServed() { nextPause = max(1, nextPause / 2) }

    /// Ends a loan that the thread took back.
    package mutating func wasNotServed() {
        pause = nextPause
        nextPause = min(2 * nextPause, Self.longestPause)
    }
}
