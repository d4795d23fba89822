import AirframeWire
import Testing

@Suite("Instants as numbers", .timeLimit(.minutes(1)))
struct MonotonicTests {
    @Test("a sum that overflows is the latest instant, which stands for no limit")
    func overflow() {
        #expect(Monotonic.sum(.max - 1, 2) == .max)
        #expect(Monotonic.sum(1, 2) == 3)
        #expect(Monotonic.time(nil, after: 5) == .max)
        #expect(Monotonic.time(.seconds(Int64.max / 2), after: 5) == .max)
        #expect(Monotonic.time(.nanoseconds(7), after: 5) == 12)
    }

    @Test(
        "waits are rounded up to milliseconds, so that a thread does not wake before its deadline",
        arguments: [(0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (Int64.max, Int32.max)]
    )
    func milliseconds(nanoseconds: Int64, expected: Int32) {
        #expect(Monotonic.milliseconds(nanoseconds) == expected)
        #expect(Monotonic.milliseconds(from: 0, to: nanoseconds) == expected)
    }

    @Test("a wait that is already over takes no time")
    func past() {
        #expect(Monotonic.milliseconds(from: 5, to: 4) == 0)
        #expect(Monotonic.milliseconds(from: .max, to: .min) == 0)
    }
}
