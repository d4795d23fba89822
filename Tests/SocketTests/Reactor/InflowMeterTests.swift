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
            let isFast = meter.isFast(at: Int64(wait) * 100_000)
            #expect(!isFast)
        }
    }

    @Test("a wait without bytes ends the gathering: the sender has paused")
    func pause() {
        let meter = InflowMeter()
        var results: [Bool] = []
        let full = count(in: 100)
        for (microseconds, count) in [(Int64(100), full), (200, full), (201, 0), (300, full)] {
            meter.note(count)
            results.append(meter.isFast(at: microseconds * 1000))
        }
        #expect(results == [false, true, false, false])
    }

    @Test("small responses never ask for the time")
    func small() {
        let meter = InflowMeter()
        var hasAsked = false
        func instant() -> Int64 {
            hasAsked = true
            return 1
        }
        for _ in 1...4 {
            meter.note(Int(InflowMeter.minimum) - 1)
            let isFast = meter.isFast(at: instant())
            #expect(!isFast)
        }
        #expect(!hasAsked)
    }
}
