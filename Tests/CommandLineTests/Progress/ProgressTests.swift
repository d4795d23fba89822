import AirframeCommandLine
import Testing

@Suite("Progress", .timeLimit(.minutes(1)))
struct ProgressTests {
    private func meter(_ samples: [(Int64, Double)], of total: Int64?) -> TransferMeter {
        var meter = TransferMeter()
        for (bytes, seconds) in samples { meter.record(bytes, of: total, at: seconds) }
        return meter
    }

    @Test("the rate is that of the last five seconds")
    func rate() {
        // 100 B/s at first, then 1000 B/s.
        var samples: [(Int64, Double)] = (0...10).map { (Int64($0) * 100, Double($0)) }
        samples += (11...20).map { (1000 + Int64($0 - 10) * 1000, Double($0)) }
        let meter = meter(samples, of: 21_000)
        #expect(meter.rate.map { abs($0 - 1000) < 1 } == true, "\(meter.rate ?? -1)")
        #expect(meter.remaining.map { abs($0 - 10) < 0.1 } == true, "\(meter.remaining ?? -1)")
    }

    @Test("nothing is claimed before two samples are apart, or without a total")
    func unknown() {
        #expect(meter([(0, 0)], of: 10).rate == nil)
        #expect(meter([(0, 0), (5, 1)], of: nil).remaining == nil)
        #expect(meter([(0, 0), (5, 1)], of: -1).fraction == nil)
    }

    @Test("a retry resets the meter")
    func retry() {
        let meter = meter([(0, 0), (1000, 1), (0, 2), (100, 3)], of: 1000)
        #expect(meter.rate == 100)
    }

    @Test("the line fits into every width", arguments: 1...120)
    func width(columns: Int) {
        let meter = meter([(0, 0), (42_000_000, 4)], of: 100_000_000)
        let line = ProgressLine.text(meter, width: columns, .plain)
        #expect(line.count <= columns, "\(line)")
        #expect(!line.isEmpty)
    }

    @Test("the line has percentage, bar, bytes, rate and the time that is left")
    func line() {
        let meter = meter([(0, 0), (42_000_000, 4)], of: 100_000_000)
        let line = ProgressLine.text(meter, width: 79, .plain)
        #expect(line.hasPrefix(" 42 %  #"), "\(line)")
        #expect(line.hasSuffix("-  42.0 MB of 100.0 MB  10.5 MB/s  0:06 left"), "\(line)")
    }

    @Test("sizes and times are short", arguments: [(0, "0 B"), (999, "999 B"), (4_200, "4.2 kB"), (999_950, "1.0 MB")])
    func sizes(count: Int, text: String) { #expect(Quantities.bytes(Int64(count)) == text) }

    @Test(
        "the time that is left",
        arguments: [(7.0, "0:07"), (750, "12:30"), (3723, "1:02:03"), (-1, "-:--"), (.infinity, "-:--")])
    func clock(seconds: Double, text: String) { #expect(Quantities.clock(seconds) == text) }
}
