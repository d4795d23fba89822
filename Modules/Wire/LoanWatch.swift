/// When an engine's thread lends its poll, and when it takes it back because the pool does not poll.
///
/// A loan depends on the pool: where CPU-bound tasks or other programs hold its threads, nobody polls. The thread looks
/// after each ``tick``. It takes the turn back if in that time nobody has polled and no exchange has moved, or if
/// nobody has polled for ``patience`` ticks. Then it does not lend for the next 1, 2, 4 … 256 occasions. The engine's thread owns
/// the value.
package struct LoanWatch: Sendable {
    /// How often the thread looks, in nanoseconds.
    package static let tick: Int64 = 1_000_000
    /// For how many ticks exchanges may move without a poll.
    static let patience = 15
    static let longestPause = 256

    /// For how many occasions the thread does not lend.
    private var pause = 0
    /// How many it will be after the next loan that is taken back.
    private var nextPause = 1
    private var lookedAt: Int64 = 0
    /// How many ticks have passed without a poll.
    private var idleTicks = 0

    package init() {}

    /// Returns whether to lend on this occasion.
    package mutating func isWorthwhile() -> Bool {
        guard pause > 0 else { return true }
        pause -= 1
        return false
    }

    /// A loan begins.
    ///
    /// - Parameter now: In nanoseconds of the monotonic clock.
    package mutating func begin(at now: Int64) {
        lookedAt = now
        idleTicks = 0
    }

    /// The thread looks at the loan.
    ///
    /// - Parameters:
    ///   - now: In nanoseconds of the monotonic clock.
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
        return !progress.hasMoved || idleTicks >= Self.patience
    }

    /// The task has given the turn back.
    package mutating func wasServed() { nextPause = max(1, nextPause / 2) }

    /// The thread has taken the turn back.
    package mutating func wasNotServed() {
        pause = nextPause
        nextPause = min(2 * nextPause, Self.longestPause)
    }
}
