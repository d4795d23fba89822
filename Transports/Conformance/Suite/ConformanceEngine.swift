public import AirframeTransport

/// The engine that the suite examines: how to create it and its peers, and which levels it claims.
public struct ConformanceEngine: Sendable {
    /// Creates a transport.
    public typealias Make = @Sendable () throws -> any Transport
    /// Creates a transport that opens at most that many connections to one host.
    public typealias MakeLimited = @Sendable (_ connectionsPerHost: Int) throws -> any Transport
    /// Creates the peer for a transport.
    public typealias MakePeer = @Sendable (PeerScenario, any Transport) async throws -> any ConformancePeer

    /// The levels that the engine claims. Cases of other levels are skipped, and parts of cases that belong to other
    /// levels (such as the events of an exchange) are not checked.
    public let claims: Set<ConformanceLevel>
    let make: Make
    let makeLimited: MakeLimited?
    let makePeer: MakePeer

    /// Describes an engine.
    ///
    /// - Parameters:
    ///   - claims: The levels that the engine claims; by default all. ``ConformanceLevel/trust`` and
    ///     ``ConformanceLevel/versions`` count only if the transport's capabilities have the features for them.
    ///   - limited: Creates a transport that opens at most that many connections to one host. Without it, cases about
    ///     waiting for a connection fail, and a report skips them.
    ///   - peer: Creates the peer for a transport; by default a ``RawPeer``.
    ///   - make: Creates a transport. Each case gets its own.
    public init(
        claiming claims: Set<ConformanceLevel> = Set(ConformanceLevel.allCases),
        limited: MakeLimited? = nil,
        peer: @escaping MakePeer = { scenario, _ in try RawPeer(scenario) },
        _ make: @escaping Make
    ) {
        self.claims = claims
        self.make = make
        makeLimited = limited
        makePeer = peer
    }

    func makeTransport(for conformanceCase: ConformanceCase) throws -> any Transport {
        guard let limit = conformanceCase.connectionLimit else { return try make() }
        guard let makeLimited else {
            throw InexpressibleScenario("the case needs an engine with \(limit) connections to a host: see `limited:`")
        }
        return try makeLimited(limit)
    }
}
