import AirframeTransport
import FoundationEssentials
import Testing

@Suite("The system's clock", .timeLimit(.minutes(1)))
struct SystemClockTests {
    private let clock = SystemClock.shared

    @Test("never goes back")
    func monotonic() {
        var last = clock.now
        for _ in 0..<1000 {
            let now = clock.now
            #expect(now >= last)
            last = now
        }
    }

    @Test("knows the calendar date of an instant")
    func dates() {
        let now = clock.now
        #expect(abs(clock.date(at: now).timeIntervalSinceNow) < 1)
        let earlier = clock.date(at: now.advanced(by: .seconds(-3600)))
        #expect(abs(earlier.timeIntervalSinceNow + 3600) < 1)
        #expect(clock.date(at: MonotonicInstant(nanoseconds: .max)) > clock.date(at: now))
    }

    @Test("sleeps for the given duration")
    func sleeps() async throws {
        let start = clock.now
        try await clock.sleep(for: .milliseconds(20))
        #expect(start.duration(to: clock.now) >= .milliseconds(20))
    }

    @Test("does not sleep to a deadline that has passed", arguments: [Int64.min, 0, 1])
    func passed(deadline: Int64) async throws {
        try await clock.sleep(until: MonotonicInstant(nanoseconds: deadline))
    }

    @Test("wakes a cancelled sleeper, even from an endless sleep")
    func cancelled() async {
        let sleeper = Task { [clock] in try await clock.sleep(until: MonotonicInstant(nanoseconds: .max)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test("is the default clock of a transport")
    func isDefault() {
        struct Plain: Transport {
            let capabilities = TransportCapabilities(engine: "plain", features: [])
            func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse { throw lost }
        }
        #expect(Plain().clock is SystemClock)
    }
}
