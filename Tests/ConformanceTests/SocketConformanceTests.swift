import AirframeConformance
import ConformanceEngines
import Testing

@Suite("AirframeSocket conforms", .serialized, .timeLimit(.minutes(10)))
struct SocketConformanceTests {
    @Test("to each case", arguments: ConformanceSuite.cases)
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(
            conformanceCase, on: NamedEngine.sockets.engine, exclusions: NamedEngine.sockets.exclusions)
    }
}
