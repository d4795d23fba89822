internal import AirframeTransport
internal import Foundation
internal import Tracing

/// Converts instants of a transport's clock to those of traces, which count from 1970.
///
/// The system's date is read once for each request, so that spans of one request are nested and ordered like their
/// events even if the clock is set in between.
struct TraceTimeline: Sendable {
    private let anchor: MonotonicInstant
    private let nanosecondsSinceEpoch: UInt64

    init(_ clock: any TransportClock) {
        if clock is SystemClock {
            (anchor, nanosecondsSinceEpoch) = Self.readBoth(clock)
        } else {
            anchor = clock.now
            let nanoseconds = clock.date(at: anchor).timeIntervalSince1970 * 1e9
            nanosecondsSinceEpoch = UInt64(exactly: nanoseconds.rounded()) ?? 0
        }
    }

    /// Returns the instant of a trace for `instant`.
    func callAsFunction(_ instant: MonotonicInstant) -> DefaultTracerClock.Timestamp {
        let (distance, overflow) = instant.nanoseconds.subtractingReportingOverflow(anchor.nanoseconds)
        let (sum, outside) =
            distance < 0
            ? nanosecondsSinceEpoch.subtractingReportingOverflow(distance.magnitude)
            : nanosecondsSinceEpoch.addingReportingOverflow(distance.magnitude)
        return DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: overflow || outside ? nanosecondsSinceEpoch : sum)
    }

    /// Reads both clocks of the system as close together as possible. A thread that is preempted between the two
    /// readings repeats them.
    private static func readBoth(_ clock: any TransportClock) -> (MonotonicInstant, UInt64) {
        var nearest = (instant: clock.now, nanoseconds: DefaultTracerClock.now.nanosecondsSinceEpoch)
        var smallestGap = Duration.seconds(1)
        for _ in 0..<3 where smallestGap > .microseconds(2) {
            let before = clock.now
            let nanoseconds = DefaultTracerClock.now.nanosecondsSinceEpoch
            let gap = before.duration(to: clock.now)
            if gap < smallestGap { (nearest, smallestGap) = ((before, nanoseconds), gap) }
        }
        return (nearest.instant, nearest.nanoseconds)
    }
}
