import AirframeConformance
import AirframeMock
import Testing

@Suite("AirframeMock conforms", .timeLimit(.minutes(10)))
struct MockConformanceTests {
    static let engine = ConformanceEngine(
        limited: { try makeTransport(connectionsPerHost: $0) },
        peer: { scenario, transport in try MockPeer(scenario, in: transport) }
    ) {
        try makeTransport()
    }

    private static func makeTransport(connectionsPerHost: Int? = nil) throws -> MockTransport {
        var configuration = MockTransport.Configuration()
        configuration.maximumConnectionsPerHost = connectionsPerHost
        configuration.certificates = ServerCertificates(chain: try TestCertificates.shared().chain(of: .sound))
        return MockTransport(configuration: configuration)
    }

    @Test("to each case", arguments: ConformanceSuite.cases)
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(conformanceCase, on: Self.engine, exclusions: MockExclusions.all)
    }
}
