public import AirframeTransport

/// How the suite comes by the engine that it examines.
public struct ConformanceEngine: Sendable {
    /// Makes a transport.
    public typealias Make = @Sendable () throws -> any Transport
    /// Makes a transport that opens at most so many connections to one host.
    public typealias MakeLimited = @Sendable (_ connectionsPerHost: Int) throws -> any Transport
    /// Makes the peer that a transport is to talk to.
    public typealias MakePeer = @Sendable (PeerScenario, any Transport) async throws -> any ConformancePeer

    let make: Make
    let makeLimited: MakeLimited?
    let makePeer: MakePeer

    /// Describes an engine.
    ///
    /// - Parameters:
    ///   - limited: Makes a transport that opens at most so many connections to one host. Without it, cases about
    ///     waiting for a connection fail.
    ///   - peer: Makes the peer that a transport talks to; by default a ``RawPeer``.
    ///   - make: Makes a transport. Each case gets its own.
    public init(
        limited: MakeLimited? = nil,
        peer: @escaping MakePeer = { scenario, _ in try RawPeer(scenario) },
        _ make: @escaping Make
    ) {
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
