internal import AirframeTransport
internal import Glibc

/// The system's monotonic clock, which all limits run on: the network does.
enum Monotonic {
    /// Nanoseconds since the machine started.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The time `limit` after `start`, `.max` when there is no limit or no such time.
    static func time(_ limit: Duration?, after start: Int64) -> Int64 {
        guard let limit else { return .max }
        return sum(start, limit.wholeNanoseconds)
    }

    /// `start` and so many nanoseconds, at most `.max`.
    static func sum(_ start: Int64, _ nanoseconds: Int64) -> Int64 {
        let (sum, overflow) = start.addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }
}
