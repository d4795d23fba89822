/// Which of two parties may poll an engine's descriptors: the engine's thread, or a task in Swift's pool to which the
/// thread has lent its poll.
///
/// A pure state machine, so that tests can search every interleaving of its transitions. ``LentPoll`` performs them
/// atomically. Each loan has a number. The thread may take the turn back while the task is not polling; the task then
/// finds a number that is not its own, or no loan at all, and ends.
package struct PollTurn: Sendable, Hashable {
    /// The party that may poll.
    package enum Holder: UInt8, Sendable {
        /// The engine's thread.
        case thread
        /// A task in the pool, which is not polling at the moment.
        case pool
        /// A task in the pool, which is polling.
        case polling
    }

    /// The party that may poll.
    package private(set) var holder = Holder.thread
    /// The number of the last loan.
    package private(set) var loan: UInt32 = 0

    package init() {}

    /// Lends the thread's poll.
    ///
    /// - Returns: The number of the loan; `nil` if the thread does not hold the turn.
    package mutating func lend() -> UInt32? {
        guard holder == .thread else { return nil }
        holder = .pool
        loan &+= 1
        return loan
    }

    /// Takes the turn back for the thread.
    ///
    /// - Returns: Whether the thread holds the turn. It does not while the task is polling.
    package mutating func takeBack() -> Bool {
        guard holder != .polling else { return false }
        holder = .thread
        return true
    }

    /// Begins a poll of the task that serves `loan`.
    ///
    /// - Returns: `false` if the loan is over.
    package mutating func beginPoll(_ loan: UInt32) -> Bool {
        guard holder == .pool, loan == self.loan else { return false }
        holder = .polling
        return true
    }

    /// Ends a poll of a task that keeps the loan.
    package mutating func endPoll() {
        guard holder == .polling else { return }
        holder = .pool
    }

    /// Ends a poll, and passes the loan on to another task.
    ///
    /// - Returns: The number of the new loan; `nil` if no task is polling.
    package mutating func pass() -> UInt32? {
        guard holder == .polling else { return nil }
        holder = .pool
        loan &+= 1
        return loan
    }

    /// Ends a poll, and gives the turn back to the thread.
    package mutating func giveBack() {
        guard holder == .polling else { return }
        holder = .thread
    }
}

extension PollTurn {
    /// The turn as one word that can be exchanged atomically.
    var word: UInt64 { UInt64(loan) << 8 | UInt64(holder.rawValue) }

    init(word: UInt64) {
        holder = Holder(rawValue: UInt8(truncatingIfNeeded: word)) ?? .thread
        loan = UInt32(truncatingIfNeeded: word >> 8)
    }
}
