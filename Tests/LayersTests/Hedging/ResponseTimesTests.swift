import AirframeTransport
import Testing

@testable import AirframeLayers

@Suite("Response times", .timeLimit(.minutes(1)))
struct ResponseTimesTests {
    private static let origin = Origin(scheme: "http", host: "api.test")

    @Test(
        "give the percentile by the nearest rank",
        arguments: [(0.0, 1), (1, 1), (50, 50), (95, 95), (99.5, 100), (100, 100), (200, 100), (-1, 1), (.nan, 100)]
    )
    func percentile(percentile: Double, expected: Int) {
        let times = ResponseTimes()
        for value in (1...100).reversed() { times.add(.milliseconds(value), of: Self.origin) }
        #expect(times.percentile(percentile, of: Self.origin) == .milliseconds(expected))
    }

    @Test("have no percentile below the minimum, and belong to one origin")
    func minimum() {
        let times = ResponseTimes()
        for _ in 1..<HedgeDelay.minimumSamples { times.add(.seconds(1), of: Self.origin) }
        #expect(times.percentile(50, of: Self.origin) == nil)
        times.add(.seconds(1), of: Self.origin)
        #expect(times.percentile(50, of: Self.origin) == .seconds(1))
        #expect(times.percentile(50, of: Origin(scheme: "https", host: "api.test")) == nil)
    }

    @Test("forget the oldest")
    func oldest() {
        let times = ResponseTimes()
        for _ in 0..<128 { times.add(.seconds(9), of: Self.origin) }
        for _ in 0..<128 { times.add(.seconds(1), of: Self.origin) }
        #expect(times.percentile(100, of: Self.origin) == .seconds(1))
    }
}
