import AirframeConformance
import AirframeMock
import Testing

@Suite("AirframeMock conforms", .timeLimit(.minutes(10)))
struct MockConformanceTests {
    static let engine = ConformanceEngine(
        limited: { count in
            var configuration = MockTransport.Configuration()
            configuration.maximumConnectionsPerHost = count
            return MockTransport(configuration: configuration)
        },
        peer: { scenario, transport in try MockPeer(scenario, in: transport) }
    ) {
        MockTransport()
    }

    @Test("to each case", arguments: ConformanceSuite.cases.filter { MockExclusions.unsettled[$0.id] == nil })
    func conforms(to conformanceCase: ConformanceCase) async {
        await ConformanceSuite.expect(conformanceCase, on: Self.engine, exclusions: MockExclusions.all)
    }
}
