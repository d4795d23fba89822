import AirframeConformance
import AirframeSocket
import Testing

@Suite("AirframeSocket conforms", .serialized, .timeLimit(.minutes(10)))
struct SocketConformanceTests {
    static let engine = ConformanceEngine(limited: { count in
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnectionsPerHost = count
        return SocketTransport(configuration: configuration)
    }) {
        SocketTransport()
    }

    @Test("to each case", arguments: ConformanceSuite.cases)
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(conformanceCase, on: Self.engine, exclusions: SocketExclusions.all)
    }
}
