import Testing

@testable import AirframeSocket

/// When input gathers before it is read.
@Suite("InflowMeter")
struct InflowMeterTests {
    /// The number of bytes that arrive in `microseconds` at the minimum rate.
    private func count(in microseconds: Int) -> Int { microseconds * Int(InflowMeter.rate) }

    @Test("bytes that arrive at the rate gather from the second wait on")
    func fast() {
        let meter = InflowMeter()
        var results: [Bool] = []
        for wait in 1...4 {
            meter.note(count(in: 100))
            results.append(meter.isFast(at: Int64(wait) * 100_000))
        }
        #expect(results == [false, true, true, true])
    }

    @Test("bytes that arrive more slowly do not gather")
    func slow() {
        let meter = InflowMeter()
        for wait in 1...4 {
            meter.note(count(in: 100) - 1)
            #expect(!meter.isFast(at: Int64(wait) * 100_000))
        }
    }

    @Test("a wait without bytes ends the gathering: the sender has paused")
    func pause() {
        let meter = InflowMeter()
        meter.note(count(in: 100))
        _ = meter.isFast(at: 100_000)
        meter.note(count(in: 100))
        #expect(meter.isFast(at: 200_000))
        #expect(!meter.isFast(at: 201_000))
        meter.note(count(in: 100))
        #expect(!meter.isFast(at: 300_000))
    }

    @Test("small responses never ask for the time")
    func small() {
        let meter = InflowMeter()
        var hasAsked = false
        for _ in 1...4 {
            meter.note(InflowMeter.minimum - 1)
            #expect(
                !meter.isFast(
                    at: {
                        hasAsked = true
                        return 1
                    }()))
        }
        #expect(!hasAsked)
    }
}
