import AirframeConformance
import ConformanceEngines
import Testing

@Suite("AirframeCurl conforms", .serialized, .timeLimit(.minutes(10)))
struct CurlConformanceTests {
    @Test("to each case", arguments: ConformanceSuite.cases)
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(
            conformanceCase, on: NamedEngine.curl.engine, exclusions: NamedEngine.curl.exclusions)
    }
}
