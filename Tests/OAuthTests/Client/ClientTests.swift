import AirframeCore
import AirframeMock
import AirframeOAuth
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The OAuth client", .timeLimit(.minutes(1)))
struct ClientTests {
    private static let server = OAuthServer(
        issuer: "https://id.test", authorizationEndpoint: "https://id.test/authorize?tenant=1",
        tokenEndpoint: "https://id.test/token", deviceAuthorizationEndpoint: "https://id.test/device")

    private static func client(_ mock: MockTransport, _ server: OAuthServer = server) -> OAuthClient {
        OAuthClient(id: "wing & tail", authentication: .basic(secret: "a:b%"), server: server, over: mock)
    }

    private static func token(_ text: String, expiresIn: Int = 3600) -> Reply {
        let lifetime = #""expires_in":\#(expiresIn)"#
        return .text(#"{"access_token":"\#(text)","token_type":"bearer",\#(lifetime),"refresh_token":"r-\#(text)"}"#)
    }

    @Test("Identifier and secret are form-encoded before Basic (RFC 6749 §2.3.1)")
    func basic() async throws {
        let mock = MockTransport { Route(.post, "/token").reply(Self.token("t")) }
        _ = try await Self.client(mock).clientCredentials(scope: "a b")
        let sent = try #require(mock.requests(.post, "/token").first)
        let expected = Data("wing%20%26%20tail:a%3Ab%25".utf8).base64EncodedString()
        #expect(sent.head.headerFields[.authorization] == "Basic \(expected)")
        #expect(String(decoding: sent.body, as: UTF8.self) == "grant_type=client_credentials&scope=a%20b")
    }

    @Test(
        "Responses without a token are rejected with errors that do not show them",
        arguments: [
            "", "[]", "null", #"{"token_type":"Bearer"}"#, #"{"access_token":"secret-1"}"#,
            #"{"access_token":"secret-1","token_type":"mac"}"#, #"{"access_token":"secret 1","token_type":"Bearer"}"#,
            #"{"access_token":"","token_type":"Bearer"}"#, #"{"access_token":1,"token_type":"Bearer"}"#,
            #"{"access_token":"secret-1","token_type":"Bearer","expires_in":"soon"}"#,
        ]
    )
    func malformed(body: String) async throws {
        let mock = MockTransport { Route(.post, "/token").reply(.text(body)) }
        let error = await #expect(throws: OAuthError.self) { _ = try await Self.client(mock).clientCredentials() }
        guard case .malformedResponse(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.contains("secret"))
    }

    @Test(
        "The expiration is parsed as a number or as a string",
        arguments: [("60", 60.0), ("\"60\"", 60), ("60.5", 60.5), ("-5", 0), ("1e300", 1e10)]
    )
    func expiration(text: String, seconds: Double) async throws {
        let mock = MockTransport {
            Route(.post, "/token").reply(
                .text(#"{"access_token":"t","token_type":"Bearer","expires_in":\#(text)}"#))
        }
        let start = mock.virtualClock.date
        let token = try await Self.client(mock).clientCredentials()
        #expect(token.expiration == start.addingTimeInterval(seconds))
        #expect(token.refreshToken == nil)
    }

    @Test(
        "All members of a server's error are kept (RFC 6749 §5.2)",
        arguments: [
            (
                #"{"error":"invalid_grant","error_description":"too old","error_uri":"https://id.test/e"}"#,
                "the authorization server answered invalid_grant (status 400): too old; see https://id.test/e"
            ),
            (#"{"error":"invalid_scope"}"#, "the authorization server answered invalid_scope (status 400)"),
            (
                "<html>",
                "the authorization server's response is malformed: status 400 without an error of RFC 6749 §5.2"
            ),
        ]
    )
    func errors(body: String, description: String) async throws {
        let mock = MockTransport { Route(.post, "/token").reply(.text(body, status: .badRequest)) }
        let error = await #expect(throws: OAuthError.self) { _ = try await Self.client(mock).clientCredentials() }
        #expect(error?.description == description)
    }

    @Test(
        "Endpoints must be https, or on this machine",
        arguments: [
            ("http://id.test/token", false), ("ftp://id.test/", false), ("//id.test/", false), ("token", false),
            ("http://localhost:1/token", true), ("http://[::1]/token", true), ("http://127.0.0.1/token", true),
            ("http://127.0.0.1.test/token", false), ("HTTPS://id.test/token", true),
        ]
    )
    func endpoints(url: String, isTaken: Bool) async throws {
        let mock = MockTransport { Route(.post, "/token").reply(Self.token("t")) }
        let client = Self.client(mock, OAuthServer(tokenEndpoint: url))
        if isTaken {
            #expect(try await client.clientCredentials().accessToken == "t")
        } else {
            await #expect(throws: OAuthError.self) { _ = try await client.clientCredentials() }
            #expect(mock.requests(.post, "/token").isEmpty)
        }
    }

    @Test(
        "The metadata of an issuer that ends in a slash is found (RFC 8414 §3.1, OpenID Connect Discovery §4.1)",
        arguments: [
            "/.well-known/oauth-authorization-server/tenant", "/tenant/.well-known/openid-configuration",
        ])
    func issuerWithSlash(place: String) async throws {
        let issuer = "https://id.test/tenant/"
        let mock = MockTransport {
            Route(.get, place).reply(.text(#"{"issuer":"\#(issuer)"}"#))
            Route("/**").reply(.status(404))
        }
        #expect(try await OAuthServer.discover(issuer: issuer, over: mock).issuer == issuer)
        let error = await #expect(throws: OAuthError.self) {
            _ = try await OAuthServer.discover(issuer: "https://id.test/tenant", over: mock)
        }
        guard case .issuerMismatch(_, issuer) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("The refresh token is kept if the server issues no new one (RFC 6749 §6)")
    func keptRefreshToken() async throws {
        let mock = MockTransport {
            Route(.post, "/token").reply(.text(#"{"access_token":"new","token_type":"Bearer"}"#))
        }
        let old = OAuthToken(accessToken: "old", refreshToken: "keep", scope: "a")
        let new = try await Self.client(mock).refresh(old)
        #expect(new == OAuthToken(accessToken: "new", refreshToken: "keep", scope: "a"))
        await #expect(throws: OAuthError.self) {
            _ = try await Self.client(mock).refresh(OAuthToken(accessToken: "x"))
        }
    }

    // MARK: The device flow

    private static let device = #"""
        {"device_code":"dc","user_code":"UC","verification_uri":"https://id.test/d","expires_in":60,"interval":5}
        """#

    private static func pending(_ code: String) -> Reply { .text(#"{"error":"\#(code)"}"#, status: .badRequest) }

    @Test("A device polls at the server's interval, and slower after slow_down (RFC 8628 §3.5)")
    func devicePace() async throws {
        let mock = MockTransport {
            Route(.post, "/device").reply(.text(Self.device))
            Route(.post, "/token").reply(
                .sequence([
                    Self.pending("authorization_pending"), Self.pending("slow_down"),
                    Self.pending("authorization_pending"), Self.token("t"),
                ]))
        }
        let client = Self.client(mock)
        let device = try await client.authorizeDevice()
        #expect("\(device)" == "open https://id.test/d and enter UC")
        #expect(try await client.token(for: device).accessToken == "t")
        #expect(mock.virtualClock.elapsed == .seconds(5 + 5 + 10 + 10))
    }

    @Test(
        "A device polls every five seconds if the server's interval is below one second (RFC 8628 §3.2)",
        arguments: ["0", "-5", "0.001"])
    func deviceInterval(interval: String) async throws {
        let mock = MockTransport {
            Route(.post, "/device").reply(
                .text(Self.device.replacing(#""interval":5"#, with: #""interval":\#(interval)"#)))
            Route(.post, "/token").reply(.sequence([Self.pending("authorization_pending"), Self.token("t")]))
        }
        let client = Self.client(mock)
        let device = try await client.authorizeDevice()
        #expect(try await client.token(for: device).accessToken == "t")
        #expect(mock.virtualClock.elapsed == .seconds(5 + 5))
    }

    @Test("A device stops polling when its codes expire", arguments: ["authorization_pending", "expired_token"])
    func deviceExpires(code: String) async throws {
        let mock = MockTransport {
            Route(.post, "/device").reply(.text(Self.device))
            Route(.post, "/token").reply(Self.pending(code))
        }
        let client = Self.client(mock)
        let device = try await client.authorizeDevice()
        let error = await #expect(throws: OAuthError.self) { _ = try await client.token(for: device) }
        guard case .deviceCodeExpired = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(mock.virtualClock.elapsed < .seconds(60))
    }

    // MARK: Authorization requests

    @Test("An authorization request has a new state and its own challenge (RFC 7636 §4.3)")
    func authorizationRequest() throws {
        let client = Self.client(MockTransport {})
        let (first, second) = (
            try client.authorizationRequest(redirectURI: "app://x?y=1", scope: "a b", parameters: ["prompt": "login"]),
            try client.authorizationRequest(redirectURI: "app://x?y=1")
        )
        let items = try #require(URLComponents(url: first.url, resolvingAgainstBaseURL: false)?.queryItems)
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        #expect(values["tenant"] == "1")
        #expect(values["response_type"] == "code")
        #expect(values["client_id"] == "wing & tail")
        #expect(values["redirect_uri"] == "app://x?y=1")
        #expect(values["scope"] == "a b")
        #expect(values["prompt"] == "login")
        #expect(values["code_challenge_method"] == "S256")
        #expect(values["code_challenge"]?.utf8.count == 43)
        #expect(first.url != second.url)
    }

    @Test(
        "A redirect of another request is rejected",
        arguments: [
            "code=c", "code=c&state=other", "code=c&state=@&state=@", "state=@", "code=c&state=@&iss=https://evil.test",
        ]
    )
    func redirects(query: String) async throws {
        let mock = MockTransport { Route(.post, "/token").reply(Self.token("t")) }
        let client = Self.client(mock)
        let request = try client.authorizationRequest(redirectURI: "http://127.0.0.1:1/")
        let state = try #require(
            URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }?
                .value)
        let redirect = try #require(URL(string: "http://127.0.0.1:1/?" + query.replacing("@", with: state)))
        await #expect(throws: OAuthError.self) { _ = try await client.token(for: request, redirectedTo: redirect) }
        #expect(mock.requests(.post, "/token").isEmpty)
        let good = try #require(URL(string: "http://127.0.0.1:1/?code=c&state=\(state)&iss=https://id.test"))
        #expect(try await client.token(for: request, redirectedTo: good).accessToken == "t")
    }

    @Test("A server without S256 is rejected before the browser opens")
    func withoutPKCE() {
        var server = Self.server
        server.codeChallengeMethodsSupported = ["plain"]
        let client = Self.client(MockTransport {}, server)
        #expect(throws: OAuthError.self) { _ = try client.authorizationRequest(redirectURI: "app://x") }
    }

    // MARK: The interceptor

    @Test("A token is renewed before it expires, once for all requests, on the transport's clock")
    func renewal() async throws {
        let mock = MockTransport {
            Route(.post, "https://id.test/token").reply(
                .sequence([Self.token("first", expiresIn: 100), Self.token("second", expiresIn: 100)]))
            Route(.get, "https://api.test/**").reply(.text("ok"))
        }
        let authenticator = OAuthAuthenticator(Self.client(mock), renewal: .clientCredentials())
        let session = Session(transport: mock, interceptor: authenticator.interceptor())
        await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { _ = await session.request("https://api.test/a").serializingString().response }
            }
        }
        #expect(mock.requests(.post, "/token").count == 1)
        try await mock.virtualClock.sleep(for: .seconds(71))
        _ = await session.request("https://api.test/b").serializingString().response
        #expect(mock.requests(.post, "/token").count == 2)
        #expect(mock.requests(.get, "/b").first?.head.headerFields[.authorization] == "Bearer second")
    }

    @Test(
        "A token that lives no longer than the leeway is used, and is renewed after half of its lifetime",
        arguments: [(30, 2), (0, 1)])
    func shortLifetime(seconds: Int, renewals: Int) async throws {
        let mock = MockTransport {
            Route(.post, "https://id.test/token").reply(Self.token("t", expiresIn: seconds))
            Route(.get, "https://api.test/**").reply(.text("ok"))
        }
        let authenticator = OAuthAuthenticator(Self.client(mock), renewal: .clientCredentials())
        let session = Session(transport: mock, interceptor: authenticator.interceptor())
        for _ in 0..<3 {
            #expect(try await session.request("https://api.test/a").serializingString().value == "ok")
        }
        #expect(mock.requests(.post, "/token").count == 1)
        try await mock.virtualClock.sleep(for: .seconds(16))
        #expect(try await session.request("https://api.test/b").serializingString().value == "ok")
        #expect(mock.requests(.post, "/token").count == renewals)
    }

    @Test("A token is sent only to the listed origins")
    func origins() async throws {
        let mock = MockTransport {
            Route(.get, "https://api.test/").reply(.text("ok"))
            Route(.get, "https://other.test/").reply(.status(401))
        }
        let authenticator = OAuthAuthenticator(
            Self.client(mock), for: [Origin(scheme: "https", host: "api.test")])
        let session = Session(
            transport: mock, interceptor: authenticator.interceptor(for: OAuthToken(accessToken: "t")))
        _ = await session.request("https://api.test/").serializingString().response
        let other = await session.request("https://other.test/").validate().serializingString().response
        #expect(other.error?.responseCode == 401)
        #expect(mock.requests(.get, "https://api.test/").first?.head.headerFields[.authorization] == "Bearer t")
        #expect(mock.requests(.get, "https://other.test/").map { $0.head.headerFields[.authorization] } == [nil])
    }

    @Test("A failed renewal fails the request with the server's error")
    func failedRenewal() async throws {
        let mock = MockTransport { Route(.post, "/token").reply(Self.pending("invalid_grant")) }
        let old = OAuthToken(accessToken: "a", refreshToken: "r", expiration: .distantPast)
        let session = Session(
            transport: mock, interceptor: OAuthAuthenticator(Self.client(mock)).interceptor(for: old))
        let response = await session.request("https://api.test/").serializingString().response
        let error = response.error?.underlyingError as? OAuthError
        #expect(error?.serverCode == "invalid_grant")
    }

    // MARK: Secrets

    @Test("No description shows a token, a secret or a key")
    func secrets() async throws {
        let token = OAuthToken(
            accessToken: "SECRET-a", refreshToken: "SECRET-r", scope: "read", expiration: .distantPast)
        let mock = MockTransport {
            Route(.post, "/device").reply(.text(Self.device.replacing("dc", with: "SECRET-d")))
        }
        let client = OAuthClient(
            id: "c", authentication: .basic(secret: "SECRET-s"), server: Self.server, over: mock,
            proofKey: try DPoPKey())
        let device = try await client.authorizeDevice()
        let values: [Any] = [
            token, ClientAuthentication.post(secret: "SECRET-p"), device, try DPoPKey(),
            OAuthAuthenticator(client).credential(for: token),
            try client.authorizationRequest(redirectURI: "app://x"),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("SECRET"), "\(type(of: value))")
                #expect(!text.contains("verifier"), "\(type(of: value))")
            }
        }
        #expect("\(token)".contains("Bearer token, scope read"))
        #expect(!"\(client)".contains("SECRET"))
        let copy = try JSONDecoder().decode(OAuthToken.self, from: JSONEncoder().encode(token))
        #expect(copy == token)
    }
}
