internal import AirframeTransport
internal import Glibc

/// The system's monotonic clock, on which all limits run.
enum Monotonic {
    /// Nanoseconds since the machine started.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Returns the time `limit` after `start`; `.max` if there is no limit or on overflow.
    static func time(_ limit: Duration?, after start: Int64) -> Int64 {
        guard let limit else { return .max }
        return sum(start, limit.wholeNanoseconds)
    }

    /// Returns `start` plus `nanoseconds`, at most `.max`.
    static func sum(_ start: Int64, _ nanoseconds: Int64) -> Int64 {
        let (sum, overflow) = start.addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }
}
