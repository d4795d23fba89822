import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

/// In TLS 1.3 a server reports that it refuses a client's certificate after the client has finished its handshake, so
/// that the client may have sent a request (RFC 8446 §4.4.2.4).
@Suite("Refused client certificates with TLS 1.3", .timeLimit(.minutes(1)))
struct ClientIdentityTests {
    /// What the client shows to a server that requires a certificate.
    enum Identity: CaseIterable {
        case none
        case untrusted
    }

    private func request(
        _ server: RawPeer,
        _ version: HTTPVersionPolicy,
        _ shown: Identity
    ) throws -> TransportRequest {
        let certificates = try TestCertificates.shared()
        return TransportRequest(.get, "https://\(server.authority)/").with {
            $0.options.httpVersion = version
            $0.options.tls.roots = .certificates([certificates.root])
            if shown == .untrusted { $0.identity = certificates.strangeIdentity }
        }
    }

    @Test(
        "are reported over every version of HTTP, and the request was not processed and is not repeated",
        arguments: TestedEngine.allCases, [HTTPVersionPolicy.http1Only, .http2Only]
    )
    func refused(_ engine: TestedEngine, _ version: HTTPVersionPolicy) async throws {
        let name = version == .http2Only ? "h2" : "http/1.1"
        let tls = PeerTLS(clientCertificate: .required, versions: .tls1_3 ... .tls1_3, protocols: [name])
        for shown in Identity.allCases {
            let server = try RawPeer(PeerScenario(tls: tls, .awaitClose))
            defer { server.stop() }
            let transport = engine.transport
            let request = try request(server, version, shown)
            let error = try #require(await transport.failure(of: request))
            #expect(error.code == .clientIdentityRefused, "\(error)")
            #expect(error.phase == .tls, "\(error)")
            #expect(error.processing != .unknown, "\(error)")
            #expect(server.connections.count == 1)
            await transport.shutdown()
        }
    }

    @Test("fail every request that shares the HTTP/2 connection")
    func together() async throws {
        let tls = PeerTLS(clientCertificate: .required, versions: .tls1_3 ... .tls1_3, protocols: ["h2"])
        let server = try RawPeer(PeerScenario(tls: tls, .awaitClose))
        defer { server.stop() }
        let transport = TestedEngine.sockets.transport
        let request = try request(server, .http2Only, .none)
        let errors = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<8 { group.addTask { await transport.failure(of: request) } }
            return await group.reduce(into: [TransportError?]()) { $0.append($1) }
        }
        #expect(errors.map(\.?.code) == Array(repeating: .clientIdentityRefused, count: 8))
        // A request that comes after the refusal tries once itself.
        #expect(server.connections.count <= 8)
        await transport.shutdown()
    }
}
