import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

/// The server's certificate names localhost and api.test; `other.test` resolves to the same address.
@Suite("Connection coalescing (RFC 9113 §9.1.1)", .timeLimit(.minutes(1)), .enabled(if: Peers.areExpected))
struct Coalescing {
    private let transport = Self.makeTransport(coalesces: true)

    private static func makeTransport(coalesces: Bool, maximumConnections: Int? = nil) -> SocketTransport {
        var configuration = SocketTransport.Configuration()
        configuration.coalescesHTTP2Connections = coalesces
        configuration.maximumConnections = maximumConnections
        return SocketTransport(configuration: configuration)
    }

    private func request(
        _ host: String,
        _ path: String = "/",
        address: String = "127.0.0.1"
    ) throws -> TransportRequest {
        let port = try Peers.required().port("http2Faults")
        return try TransportRequest(.get, "https://\(host):\(port)\(path)").with {
            $0.options.tls.roots = try Peers.roots
            $0.options.resolveOverrides = [
                ResolveOverride(host: "localhost", port: port, addresses: ["127.0.0.1"]),
                ResolveOverride(host: "api.test", port: port, addresses: [address]),
                ResolveOverride(host: "other.test", port: port, addresses: ["127.0.0.1"]),
            ]
        }
    }

    /// The connection that an exchange ran on.
    private func connection(_ request: TransportRequest, on transport: SocketTransport? = nil) async throws -> UInt64 {
        let (response, _) = try await (transport ?? self.transport).fetch(request)
        #expect(response.head.status == 200)
        return try #require(response.connection?.id)
    }

    @Test("another host with the same address and certificate shares the connection")
    func shared() async throws {
        let first = try await connection(request("localhost"))
        let log = EventLog()
        let request = try request("api.test").with { $0.events = log }
        for _ in 0..<3 { #expect(try await connection(request) == first) }
        #expect(transport.statistics.connectionCount == 1)
        #expect(log.decisions.contains { $0.reason.contains("its certificate names api.test (RFC 9113 §9.1.1)") })
    }

    @Test("a connection is shared if there is no room for another one, idle or in use", arguments: [true, false])
    func full(isIdle: Bool) async throws {
        let transport = Self.makeTransport(coalesces: true, maximumConnections: 1)
        // More than the stream's window: the stream is open until the content is read.
        let length = try HTTPField(name: #require(HTTPField.Name("x-length")), value: isIdle ? "2" : "1000000")
        let large = try request("localhost").with { $0.head.headerFields.append(length) }
        let response = try await transport.send(large)
        let first = try #require(response.connection?.id)
        if isIdle { _ = try await response.body.collect(upTo: 2) }
        #expect(try await connection(request("api.test"), on: transport) == first)
        #expect(try await connection(request("localhost"), on: transport) == first)
        #expect(transport.statistics.connectionCount == 1)
        // A host that cannot share it waits for its place.
        response.body.cancel()
        #expect(try await transport.failure(of: request("other.test"))?.code == .trustRefused)
    }

    @Test("without the setting, each origin has its own connections")
    func off() async throws {
        let transport = Self.makeTransport(coalesces: false)
        let first = try await connection(request("localhost"), on: transport)
        #expect(try await connection(request("api.test"), on: transport) != first)
    }

    @Test("a host that the certificate does not name gets its own connection, where trust fails")
    func unnamed() async throws {
        _ = try await connection(request("localhost"))
        #expect(try await transport.failure(of: request("other.test"))?.code == .trustRefused)
    }

    @Test("a host with another address gets its own connection")
    func otherAddress() async throws {
        let away = try request("localhost", address: "127.0.0.2")
        _ = try await connection(away)
        let error = try await transport.failure(of: request("api.test", address: "127.0.0.2"))
        #expect(error?.code == .connectFailed)
    }

    @Test("if the caller evaluates trust, connections are never shared: a pin is for one server")
    func trust() async throws {
        let evaluation = ClosureTrustEvaluation { _, _, _, _ in }
        let first = try await connection(request("localhost").with { $0.trust = evaluation })
        #expect(try await connection(request("api.test").with { $0.trust = evaluation }) != first)
    }

    @Test("a connection with an origin set is shared only with those origins (RFC 8336 §2.4)")
    func origins() async throws {
        let port = try Peers.required().port("http2Faults")
        let first = try await connection(request("localhost", "/origins?https://localhost:\(port)"))
        #expect(try await connection(request("api.test")) != first)
        let other = Self.makeTransport(coalesces: true)
        let second = try await connection(request("localhost", "/origins?https://api.test:\(port)"), on: other)
        #expect(try await connection(request("api.test"), on: other) == second)
    }

    @Test("after a 421 a request and later ones use their own connection (RFC 9110 §15.5.20)")
    func misdirected() async throws {
        let first = try await connection(request("localhost"))
        let own = try await connection(request("api.test", "/misdirected"))
        #expect(own != first)
        #expect(try await connection(request("api.test")) == own)
        // The first connection still serves its own origin.
        #expect(try await connection(request("localhost")) == first)
    }
}
