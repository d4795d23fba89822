import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Client identities", .needsPeers, .timeLimit(.minutes(1)))
struct ClientIdentityTests {
    let transport = CurlTransport()

    private func request(_ identity: ClientIdentity?) throws -> TransportRequest {
        let roots = try Peers.roots
        return TransportRequest(.get, try Peers.url(.httpsClientCert)).with {
            $0.options.tls.roots = roots
            $0.identity = identity
        }
    }

    private func identity(key: String = "client.key") throws -> ClientIdentity {
        ClientIdentity(chain: try Peers.der("client.pem"), privateKey: try #require(Peers.der(key).first))
    }

    @Test("a server that asks receives the client certificate")
    func shown() async throws {
        let (response, _) = try await transport.fetch(try request(try identity()))
        #expect(response.head.status == 200)
    }

    @Test("a server that requires a certificate refuses a request without one")
    func none() async throws {
        let (response, _) = try await transport.fetch(try request(nil))
        #expect(response.head.status == 400)
    }

    @Test("connections with an identity are not shared with requests that have none")
    func separation() async throws {
        _ = try await transport.fetch(try request(try identity()))
        let (response, _) = try await transport.fetch(try request(nil))
        #expect(response.head.status == 400)
        #expect(response.connection?.isReused == false)
    }

    @Test("a key that does not match the certificate is rejected before anything is sent")
    func wrongPair() async throws {
        let error = try #require(await transport.failure(of: try request(try identity(key: "localhost.key"))))
        #expect(error.code == .invalidRequest)
        #expect(error.processing == .notSent)
        #expect(error.message.contains("does not belong to its certificate"), "\(error)")
    }

    @Test("an invalid certificate or key is rejected")
    func garbage() async throws {
        let garbage = DER([1, 2, 3])
        let chain = try Peers.der("client.pem")
        for identity in [
            ClientIdentity(chain: [garbage], privateKey: garbage), ClientIdentity(chain: [], privateKey: garbage),
            ClientIdentity(chain: chain, privateKey: garbage),
        ] {
            let error = await transport.failure(of: try request(identity))
            #expect(error?.code == .invalidRequest)
        }
    }
}
