/// A point in time on a clock that never goes back, in nanoseconds since a start that has no meaning of its own.
public struct MonotonicInstant: Sendable, Hashable, InstantProtocol {
    /// Nanoseconds since the clock's start.
    public let nanoseconds: Int64

    /// An instant that many nanoseconds after the clock's start.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The instant `duration` later. What lies beyond the clock's range ends at its bounds.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return MonotonicInstant(nanoseconds: sum) }
        return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// The time from here to `other`.
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

    /// A duration from any number of seconds. Negative numbers and NaN become zero; numbers beyond the range of a
    /// clock, infinity among them, become the longest wait, 292 years.
    ///
    /// `Duration.seconds(_:)`, and integers made from floating-point numbers, trap on these.
    package static func clamping(seconds: Double) -> Duration {
        guard seconds > 0 else { return .zero }
        return .nanoseconds(seconds < 9.2e9 ? Int64(seconds * 1e9) : .max)
    }

    /// A limit from a number of seconds: `nil`, which sets no limit, for numbers that are not finite or longer than a
    /// clock can hold; zero for negative numbers.
    package static func limit(seconds: Double) -> Duration? {
        seconds.isFinite && seconds < 9e9 ? clamping(seconds: seconds) : nil
    }
}
