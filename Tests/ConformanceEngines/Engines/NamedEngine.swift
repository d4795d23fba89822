package import AirframeConformance
internal import AirframeCurl
internal import AirframeMock
internal import AirframeSocket
package import AirframeTransport

/// An engine of ours, as the suite examines it.
package struct NamedEngine: Sendable {
    /// Its name on the command line.
    package let name: String
    /// How it is made, and the peer that it talks to.
    package let engine: ConformanceEngine
    /// The cases that it does not support, and the reasons.
    package let exclusions: [String: String]

    /// An engine that claims *exchange* alone, such as the tests of the command use.
    package init(name: String, _ make: @escaping ConformanceEngine.Make) {
        self.init(name: name, engine: ConformanceEngine(claiming: [.exchange], make), exclusions: [:])
    }

    private init(name: String, engine: ConformanceEngine, exclusions: [String: String]) {
        self.name = name
        self.engine = engine
        self.exclusions = exclusions
    }

    /// All engines of the house.
    package static let all = [sockets, curl, mock]

    package static let sockets = NamedEngine(
        name: "sockets",
        engine: ConformanceEngine(limited: { count in
            var configuration = SocketTransport.Configuration()
            configuration.maximumConnectionsPerHost = count
            return SocketTransport(configuration: configuration)
        }) {
            SocketTransport()
        },
        exclusions: SocketExclusions.all
    )

    /// The engine over sockets, to be made worse.
    package static func makeSockets() -> any Transport { SocketTransport() }

    package static let curl = NamedEngine(
        name: "curl",
        engine: ConformanceEngine(limited: { count in
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = count
            return CurlTransport(configuration: configuration)
        }) {
            CurlTransport()
        },
        exclusions: CurlExclusions.all
    )

    package static let mock = NamedEngine(
        name: "mock",
        engine: ConformanceEngine(
            limited: { try makeMock(connectionsPerHost: $0) },
            peer: { scenario, transport in try MockPeer(scenario, in: transport) }
        ) {
            try makeMock()
        },
        exclusions: MockExclusions.all
    )

    private static func makeMock(connectionsPerHost: Int? = nil) throws -> MockTransport {
        var configuration = MockTransport.Configuration()
        configuration.maximumConnectionsPerHost = connectionsPerHost
        configuration.certificates = ServerCertificates(chain: try TestCertificates.shared().chain(of: .sound))
        return MockTransport(configuration: configuration)
    }
}
