import AirframeTransport
import Testing

@Suite("A monotonic instant", .timeLimit(.minutes(1)))
struct MonotonicInstantTests {
    @Test(
        "advances by a duration, clamped to the clock's range",
        arguments: [
            (Int64(0), Duration.seconds(1), Int64(1_000_000_000)),
            (5, .zero, 5), (5, .nanoseconds(-7), -2), (0, .milliseconds(-1500), -1_500_000_000),
            (.max, .nanoseconds(1), .max), (.max, .nanoseconds(-1), .max - 1), (.min, .nanoseconds(-1), .min),
            (.min, .nanoseconds(1), .min + 1), (0, .seconds(Int64.max), .max), (0, .seconds(Int64.min), .min),
            (.max, .seconds(Int64.max), .max), (.min, .seconds(Int64.min), .min), (.min, .seconds(Int64.max), -1),
            (1, .seconds(10_000_000_000), .max), (-1, .seconds(-10_000_000_000), .min),
        ]
    )
    func advances(start: Int64, duration: Duration, expected: Int64) {
        #expect(MonotonicInstant(nanoseconds: start).advanced(by: duration).nanoseconds == expected)
    }

    @Test(
        "measures the time to another, clamped to the range of a duration",
        arguments: [
            (Int64(0), Int64(1), Duration.nanoseconds(1)), (7, 7, .zero), (9, 2, .nanoseconds(-7)),
            (.min, .max, .nanoseconds(Int64.max)), (.max, .min, .nanoseconds(Int64.min)),
            (0, .max, .nanoseconds(Int64.max)), (0, .min, .nanoseconds(Int64.min)),
            (-1, .max, .nanoseconds(Int64.max)), (1, .min, .nanoseconds(Int64.min)),
        ]
    )
    func measures(start: Int64, end: Int64, expected: Duration) {
        let (start, end) = (MonotonicInstant(nanoseconds: start), MonotonicInstant(nanoseconds: end))
        #expect(start.duration(to: end) == expected)
    }

    @Test("is ordered before later ones")
    func order() {
        let instants = [Int64.min, -1, 0, 1, .max].map { MonotonicInstant(nanoseconds: $0) }
        #expect(instants.shuffled().sorted() == instants)
    }

    @Test(
        "A duration in nanoseconds is truncated and clamped to 64 bits",
        arguments: [
            (Duration.zero, Int64(0)), (.nanoseconds(-1), -1), (.microseconds(1), 1000),
            (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
            (Duration(secondsComponent: -1, attosecondsComponent: -500_000_000_000_000_000), -1_500_000_000),
            (Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 854_775_807_000_000_000), .max),
            (Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 854_775_808_000_000_000), .max),
            (Duration(secondsComponent: -9_223_372_036, attosecondsComponent: -854_775_809_000_000_000), .min),
            (Duration(secondsComponent: .max, attosecondsComponent: 0), .max),
            (Duration(secondsComponent: .min, attosecondsComponent: 0), .min),
        ] as [(Duration, Int64)]
    )
    func wholeNanoseconds(duration: Duration, expected: Int64) {
        #expect(duration.wholeNanoseconds == expected)
    }

    @Test(
        "A limit is made from finite seconds within the clock's range",
        arguments: [
            (0.0, Duration.zero), (1.5, .milliseconds(1500)), (-1, .zero), (60, .seconds(60)), (.nan, nil),
            (.infinity, nil), (-.infinity, nil), (1e300, nil), (9e9, nil), (-1e300, .zero),
            (.leastNonzeroMagnitude, .zero), (.greatestFiniteMagnitude, nil),
        ] as [(Double, Duration?)]
    )
    func limits(seconds: Double, expected: Duration?) {
        #expect(Duration.limit(seconds: seconds) == expected)
    }
}
