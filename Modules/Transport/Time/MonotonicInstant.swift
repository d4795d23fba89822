/// An instant of a monotonic clock, in nanoseconds since an arbitrary start.
public struct MonotonicInstant: Sendable, Hashable, InstantProtocol {
    /// Nanoseconds since the clock's start.
    public let nanoseconds: Int64

    /// Creates the instant `nanoseconds` after the clock's start.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns the instant `duration` later, clamped to the clock's range.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return MonotonicInstant(nanoseconds: sum) }
        return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// Returns the time from this instant to `other`.
    public func duration(to other: MonotonicInstant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(other.nanoseconds < nanoseconds ? Int64.min : .max)
    }

    /// Earlier instants come first.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to the range of 64 bits (292 years).
    ///
    /// `components` traps for durations whose seconds do not fit in 64 bits; users can make these.
    package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

    /// The duration in seconds.
    package var seconds: Double { Double(attoseconds) / 1e18 }

    /// Returns a duration for any number of seconds. Negative numbers and NaN become zero; numbers beyond the clock's
    /// range, infinity included, become the longest duration, 292 years.
    ///
    /// `Duration.seconds(_:)` and conversions to integers trap on these.
    package static func clamping(seconds: Double) -> Duration {
        guard seconds > 0 else { return .zero }
        return .nanoseconds(seconds < 9.2e9 ? Int64(seconds * 1e9) : .max)
    }

    /// Returns a limit of a number of seconds: `nil`, which sets no limit, for numbers that are not finite or exceed
    /// the clock's range; zero for negative numbers.
    package static func limit(seconds: Double) -> Duration? {
        seconds.isFinite && seconds < 9e9 ? clamping(seconds: seconds) : nil
    }
}
