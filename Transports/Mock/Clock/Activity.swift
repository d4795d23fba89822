/// Work that time waits for: an exchange, or a closure that it runs.
struct Activity: Sendable {
    /// The activity that the current task belongs to. It does not count as working while the task sleeps on the clock.
    @TaskLocal static var current: Activity?

    let clock: VirtualClock
    let id: ActivityID
}

/// The number of an activity, unique for its clock.
typealias ActivityID = UInt64

/// The number of a waiter, unique for its clock.
typealias WaiterID = UInt64
