internal import AirframeTransport
internal import Foundation
internal import Tracing

/// From the instants of a transport's clock to those of traces, which count from 1970.
///
/// The calendar is asked once for each request: spans of one request are nested and ordered as their events were, even
/// when somebody sets the clock meanwhile.
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

    /// What a trace calls `instant`.
    func callAsFunction(_ instant: MonotonicInstant) -> DefaultTracerClock.Timestamp {
        let (distance, overflow) = instant.nanoseconds.subtractingReportingOverflow(anchor.nanoseconds)
        let (sum, outside) =
            distance < 0
            ? nanosecondsSinceEpoch.subtractingReportingOverflow(distance.magnitude)
            : nanosecondsSinceEpoch.addingReportingOverflow(distance.magnitude)
        return DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: overflow || outside ? nanosecondsSinceEpoch : sum)
    }

    /// Reads both clocks of the system, as near to each other as they can be: a thread that is held up between the two
    /// readings tries again.
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
