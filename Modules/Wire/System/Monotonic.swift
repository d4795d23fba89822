internal import AirframeTransport

/// Instants of the system's monotonic clock as numbers, for the engines' timers.
package enum Monotonic {
    /// Nanoseconds since the machine started.
    package static var now: Int64 { SystemClock.shared.now.nanoseconds }

    /// Returns the instant `limit` after `start`; `.max` if there is no limit or the sum overflows.
    package static func time(_ limit: Duration?, after start: Int64) -> Int64 {
        guard let limit else { return .max }
        return sum(start, limit.wholeNanoseconds)
    }

    /// Returns `start` plus `nanoseconds`, at most `.max`.
    package static func sum(_ start: Int64, _ nanoseconds: Int64) -> Int64 {
        let (sum, overflow) = start.addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }

    /// Returns the milliseconds from one instant to another, rounded up: a thread that wakes early has to wait again.
    package static func milliseconds(from start: Int64, to end: Int64) -> Int32 {
        end > start ? milliseconds(end &- start) : 0
    }

    /// Returns nanoseconds in milliseconds, rounded up.
    package static func milliseconds(_ nanoseconds: Int64) -> Int32 {
        Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }
}
