import AirframeCore
import AirframeOAuth
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("OAuth with a real server", .enabled(if: Peers.areExpected), .timeLimit(.minutes(2)))
struct ServerTests {
    private struct Resource: Decodable, Sendable {
        let client: String
        let scope: String?
        let body: String
    }

    private static func session(
        _ peer: AuthorizationServer,
        _ interceptor: any RequestInterceptor,
        key: DPoPKey? = nil
    ) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions = .direct
        let transport: any Transport = key.map { DPoPLayer(peer.transport, key: $0) } ?? peer.transport
        return Session(transport: transport, configuration: configuration, interceptor: interceptor)
    }

    private static func resource(_ session: Session, _ peer: AuthorizationServer) async throws -> Resource {
        try await session.request("\(peer.origin)/resource").validate().serializingDecodable(Resource.self).value
    }

    @Test(
        "Client credentials, by each authentication of the client (RFC 6749 §2.3.1 and §4.4)",
        arguments: TestedEngine.allCases,
        [ClientAuthentication.basic(secret: "s3:cret"), .post(secret: "s3:cret")]
    )
    func clientCredentials(engine: TestedEngine, authentication: ClientAuthentication) async throws {
        let peer = try AuthorizationServer(over: engine)
        let token = try await peer.confidential(authentication).clientCredentials(scope: "read write")
        #expect(token.scope == "read write")
        #expect(token.type == "Bearer")
        let lifetime = try #require(token.expiration?.timeIntervalSinceNow)
        #expect((3500...3600).contains(lifetime))
    }

    @Test("A rejected client gets the server's error (RFC 6749 §5.2)", arguments: TestedEngine.allCases)
    func invalidClient(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let client = try await peer.confidential(.basic(secret: "wrong"))
        let error = await #expect(throws: OAuthError.self) { _ = try await client.clientCredentials() }
        #expect(error?.serverCode == "invalid_client")
        #expect("\(try #require(error))".contains("invalid_client (status 401)"))
    }

    @Test("The interceptor gets the first token, and another when it is revoked", arguments: TestedEngine.allCases)
    func interceptor(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let log = Log<OAuthToken>()
        let authenticator = OAuthAuthenticator(
            try await peer.confidential(), renewal: .clientCredentials(scope: "read")
        ) { log.append($0) }
        let session = Self.session(peer, authenticator.interceptor())
        #expect(try await Self.resource(session, peer).scope == "read")
        #expect(try await Self.resource(session, peer).client == "confidential")
        #expect(log.values.count == 1)
        try await peer.send(.post, "/revoke-all")
        #expect(try await Self.resource(session, peer).scope == "read")
        #expect(log.values.count == 2)
    }

    @Test("An authorization code with PKCE, and refreshed tokens", arguments: TestedEngine.allCases)
    func authorizationCode(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let client = try await peer.publicClient()
        let receiver = try LoopbackReceiver()
        let request = try client.authorizationRequest(redirectURI: receiver.redirectURI, scope: "profile")
        let redirect = try #require(try await peer.redirect(of: request))
        // The browser follows the redirect while the program waits for it.
        async let received = receiver.redirect(of: request)
        let (page, status) = try await Self.visit(redirect, over: peer.transport)
        #expect(status == 200)
        #expect(page == "You are signed in. You may close this window.")
        let token = try await client.token(for: request, redirectedTo: received)
        #expect(token.scope == "profile")
        let refreshed = try await client.refresh(token)
        #expect(refreshed.accessToken != token.accessToken)
        #expect(refreshed.refreshToken != token.refreshToken)
        let error = await #expect(throws: OAuthError.self) { _ = try await client.refresh(token) }
        #expect(error?.serverCode == "invalid_grant", "the server rotates refresh tokens")
        // A code can be used once.
        let second = await #expect(throws: OAuthError.self) {
            _ = try await client.token(for: request, redirectedTo: redirect)
        }
        #expect(second?.serverCode == "invalid_grant")
    }

    private static func visit(_ url: URL, over transport: any Transport) async throws -> (String, Int) {
        let authority = "\(url.host() ?? ""):\(url.port ?? 80)"
        let path = "\(url.path())?\(url.query() ?? "")"
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: path)
        let response = try await transport.send(TransportRequest(head, options: .direct))
        let text = String(decoding: try await response.body.collect(upTo: 1 << 16), as: UTF8.self)
        return (text, response.head.status.code)
    }

    @Test("The user refuses, and a code has no verifier", arguments: TestedEngine.allCases)
    func refusedCode(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let client = try await peer.publicClient()
        let uri = "http://127.0.0.1:1/callback"
        let denied = try client.authorizationRequest(redirectURI: uri, scope: "deny")
        let refusal = try #require(try await peer.redirect(of: denied))
        let error = await #expect(throws: OAuthError.self) {
            _ = try await client.token(for: denied, redirectedTo: refusal)
        }
        #expect(error?.serverCode == "access_denied")
        #expect("\(try #require(error))".contains("The resource owner or authorization server denied the request"))
        // The verifier of another request does not match the code.
        let first = try client.authorizationRequest(redirectURI: uri)
        let second = try client.authorizationRequest(redirectURI: uri)
        let redirect = try #require(try await peer.redirect(of: first))
        var components = try #require(URLComponents(url: redirect, resolvingAgainstBaseURL: false))
        let state = URLComponents(url: second.url, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name == "state" }
        components.queryItems = components.queryItems?.map { $0.name == "state" ? (state ?? $0) : $0 }
        let stolen = try #require(components.url)
        let mismatch = await #expect(throws: OAuthError.self) {
            _ = try await client.token(for: second, redirectedTo: stolen)
        }
        #expect(mismatch?.serverCode == "invalid_grant")
    }

    @Test("A device is authorized once the user has approved (RFC 8628)", arguments: TestedEngine.allCases)
    func device(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let client = try await peer.publicClient()
        let device = try await client.authorizeDevice(scope: "tv")
        #expect(device.verificationURI == "\(peer.origin)/device")
        #expect(device.verificationURIComplete?.hasSuffix(device.userCode) == true)
        try await peer.send(.post, "/approve?user_code=\(device.userCode)&after=2")
        #expect(try await client.token(for: device).scope == "tv")
        let refused = try await client.authorizeDevice()
        try await peer.send(.post, "/approve?user_code=\(refused.userCode)&deny")
        let error = await #expect(throws: OAuthError.self) { _ = try await client.token(for: refused) }
        #expect(error?.serverCode == "access_denied")
    }

    // MARK: Discovery

    @Test("Metadata is found by RFC 8414's rules, or by OpenID's", arguments: TestedEngine.allCases)
    func discovery(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let server = try await peer.server
        #expect(server.tokenEndpoint == "\(peer.origin)/token")
        #expect(server.codeChallengeMethodsSupported == ["S256"])
        let openID = try await OAuthServer.discover(
            issuer: "\(peer.origin)/openid", over: peer.transport, options: .direct)
        #expect(openID.issuer == "\(peer.origin)/openid")
    }

    @Test("Metadata of another issuer is rejected (RFC 8414 §3.3)", arguments: TestedEngine.allCases)
    func foreignMetadata(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let error = await #expect(throws: OAuthError.self) {
            _ = try await OAuthServer.discover(issuer: "\(peer.origin)/foreign", over: peer.transport, options: .direct)
        }
        guard case .issuerMismatch(_, "https://attacker.test") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await #expect(throws: OAuthError.self) {
            _ = try await OAuthServer.discover(issuer: "\(peer.origin)/none", over: peer.transport, options: .direct)
        }
    }

    // MARK: DPoP

    @Test("Tokens are bound to a key, and the server's nonces are used (RFC 9449)", arguments: TestedEngine.allCases)
    func proofs(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let key = try DPoPKey()
        let client = try await peer.confidential(proofKey: key)
        let token = try await client.clientCredentials(scope: "read")
        #expect(token.isBoundToKey)
        let interceptor = OAuthAuthenticator(client, renewal: .clientCredentials()).interceptor(for: token)
        let session = Self.session(peer, interceptor, key: key)
        #expect(try await Self.resource(session, peer).scope == "read")
        try await peer.send(.post, "/rotate-nonce")
        let request = session.request("\(peer.origin)/resource", method: .post) { $0.httpBody = Data("again".utf8) }
        let response = await request.validate().serializingDecodable(Resource.self).response
        #expect(response.value?.body == "again", "the body is sent again with the new nonce")
        #expect(response.metrics?.transactionMetrics.count == 2)
        #expect(try await client.clientCredentials().isBoundToKey, "the token endpoint's nonce is followed too")
        // The same token without the key, and with another key.
        for layer in [peer.transport, DPoPLayer(peer.transport, key: try DPoPKey())] as [any Transport] {
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: String(peer.origin.dropFirst(7)), path: "/resource",
                headerFields: [.authorization: token.fieldValue])
            #expect(try await layer.send(TransportRequest(head, options: .direct)).head.status.code == 401)
        }
    }

    @Test("A code is bound to the key of its request, and a key can be stored", arguments: TestedEngine.allCases)
    func boundCode(engine: TestedEngine) async throws {
        let peer = try AuthorizationServer(over: engine)
        let key = try DPoPKey()
        let client = try await peer.publicClient(proofKey: key)
        let request = try client.authorizationRequest(redirectURI: "http://127.0.0.1:1/callback", scope: "read")
        let redirect = try #require(try await peer.redirect(of: request))
        let thief = try await peer.publicClient(proofKey: DPoPKey())
        let error = await #expect(throws: OAuthError.self) {
            _ = try await thief.token(for: request, redirectedTo: redirect)
        }
        #expect(error?.serverCode == "invalid_grant")
        let stored = try DPoPKey(pem: key.pem())
        #expect(stored.thumbprint == key.thumbprint)
        let token = try await peer.publicClient(proofKey: stored).token(for: request, redirectedTo: redirect)
        let interceptor = OAuthAuthenticator(client).interceptor(for: token)
        #expect(try await Self.resource(Self.session(peer, interceptor, key: key), peer).client == "public")
    }
}
