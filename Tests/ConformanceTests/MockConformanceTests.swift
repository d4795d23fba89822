import AirframeConformance
import ConformanceEngines
import Testing

@Suite("AirframeMock conforms", .timeLimit(.minutes(10)))
struct MockConformanceTests {
    @Test("to each case", arguments: ConformanceSuite.cases)
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(
            conformanceCase, on: NamedEngine.mock.engine, exclusions: NamedEngine.mock.exclusions)
    }
}
