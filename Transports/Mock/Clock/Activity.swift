/// Work that a clock knows of and that time must wait for: an exchange, or a closure that it runs.
struct Activity: Sendable {
    /// The work on whose behalf the current task runs: who sleeps on the clock here does no work meanwhile.
    @TaskLocal static var current: Activity?

    let clock: VirtualClock
    let id: ActivityID
}

/// The number of an activity of one clock, never used twice.
typealias ActivityID = UInt64

/// The number of somebody who waits on one clock, never used twice.
typealias WaiterID = UInt64
