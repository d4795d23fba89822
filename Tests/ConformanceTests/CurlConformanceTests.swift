import AirframeConformance
import AirframeCurl
import Testing

@Suite("AirframeCurl conforms", .serialized, .timeLimit(.minutes(10)))
struct CurlConformanceTests {
    static let engine = ConformanceEngine(limited: { count in
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = count
        return CurlTransport(configuration: configuration)
    }) {
        CurlTransport()
    }

    @Test("to each case", arguments: ConformanceSuite.cases)
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(conformanceCase, on: Self.engine, exclusions: CurlExclusions.all)
    }
}
