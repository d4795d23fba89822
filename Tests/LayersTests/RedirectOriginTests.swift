import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

/// Rules for two hosts; all others are refused.
private struct Rules: OriginSecurity {
    let first = ClosureTrustEvaluation { _, _, _, _ in }
    let second = ClosureTrustEvaluation { _, _, _, _ in }
    let secondIdentity = ClientIdentity(chain: [DER([2])], privateKey: DER([2]))

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        switch origin.host {
        case "api.test": first
        case "other.test": second
        default: throw Unknown()
        }
    }

    func identity(for origin: Origin) -> ClientIdentity? { origin.host == "other.test" ? secondIdentity : nil }

    struct Unknown: Error {}
}

@Suite("Redirects: fields, trust and identities of one origin (RFC 9110 §15.4)", .timeLimit(.minutes(1)))
struct RedirectOriginTests {
    private static let start = "https://api.test/a"
    private static let identity = ClientIdentity(chain: [DER([1])], privateKey: DER([1]))

    private static func names() throws -> [HTTPField.Name] {
        [.authorization, .cookie, .proxyAuthorization, .referer, try #require(HTTPField.Name("Host"))]
    }

    private static func request(_ url: String = start) throws -> TransportRequest {
        var request = TransportRequest.to(url, fields: [.accept: "text/html"])
        for name in try names() { request.head.headerFields[name] = "of the first origin" }
        return request
    }

    @Test(
        "Credentials, Referer and Host are removed when the origin changes",
        arguments: [
            "https://other.test/", "http://api.test/", "https://api.test:8443/", "//other.test/",
            "https://www.api.test/",
            "https://api.test.evil.test/", "http://api.test:443/", "https://api.test@evil.test/", "https://api.test./",
        ]
    )
    func dropped(location: String) async throws {
        let base = ScriptedTransport(redirecting: 302, to: location)
        _ = try await RedirectLayer(base, rules: RedirectRules(downgrades: .follow)).send(Self.request())
        let fields = try #require(base.requests.last).head.headerFields
        for name in try Self.names() { #expect(fields[name] == nil, "\(name)") }
        #expect(fields[.accept] == "text/html", "fields that are not secret are kept")
        #expect(base.requests.count == 2)
    }

    @Test(
        "Subprotocols of a WebSocket are removed when the origin changes if one of them carries a token",
        arguments: [
            ("v4.channel.k8s.io", "https://other.test/", true),
            ("v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.c2VjcmV0", "https://other.test/", false),
            ("v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.c2VjcmV0", "/b", true),
        ]
    )
    func subprotocols(value: String, location: String, isKept: Bool) async throws {
        let base = ScriptedTransport(redirecting: 302, to: location)
        _ = try await RedirectLayer(base).send(.to(Self.start, fields: [.secWebSocketProtocol: value]))
        let fields = try #require(base.requests.last).head.headerFields
        #expect(fields[.secWebSocketProtocol] == (isKept ? value : nil))
        #expect(base.requests.count == 2)
    }

    @Test(
        "They are kept within the origin",
        arguments: ["/b", "b?c", "https://api.test/b", "https://api.test:443/b", "HTTPS://API.TEST/b", "//api.test/b"]
    )
    func kept(location: String) async throws {
        let base = ScriptedTransport(redirecting: 302, to: location)
        _ = try await RedirectLayer(base).send(Self.request())
        let fields = try #require(base.requests.last).head.headerFields
        for name in try Self.names() { #expect(fields[name] == "of the first origin", "\(name)") }
    }

    @Test("Removed fields do not reappear when a later redirect returns to the origin")
    func thereAndBack() async throws {
        let base = ScriptedTransport { request in
            switch request.url {
            case Self.start: .redirect(302, to: "https://other.test/", from: request)
            case "https://other.test/": .redirect(302, to: "https://api.test/b", from: request)
            default: .ok(request)
            }
        }
        _ = try await RedirectLayer(base).send(Self.request())
        #expect(base.requests.map(\.url) == [Self.start, "https://other.test/", "https://api.test/b"])
        #expect(base.requests.last?.head.headerFields[.authorization] == nil)
    }

    @Test("Trust and identity are those of the new origin")
    func security() async throws {
        let rules = Rules()
        let base = ScriptedTransport(redirecting: 307, to: "https://other.test/")
        var request = try Self.request()
        request.security = rules
        request.identity = Self.identity
        request.trust = rules.first
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.trust?.key == rules.second.key)
        #expect(base.requests.last?.identity == rules.secondIdentity)
    }

    @Test("Trust and identity stay within an origin", arguments: [true, false])
    func securityKept(hasRules: Bool) async throws {
        let rules = Rules()
        let base = ScriptedTransport(redirecting: 307, to: "/b")
        var request = try Self.request("https://other.test/a")
        if hasRules { request.security = rules } else { request.identity = Self.identity }
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.identity == (hasRules ? rules.secondIdentity : Self.identity))
        #expect(base.requests.last?.trust?.key == (hasRules ? rules.second.key : nil))
    }

    @Test("Without rules an identity is not presented to another origin, and the same evaluation applies")
    func withoutRules() async throws {
        let base = ScriptedTransport(redirecting: 307, to: "https://other.test/")
        let judge = ClosureTrustEvaluation { _, _, _, _ in }
        var request = try Self.request()
        request.identity = Self.identity
        request.trust = judge
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.identity == nil)
        #expect(base.requests.last?.trust?.key == judge.key)
    }

    @Test("A request to an origin that the rules refuse is not sent")
    func refused() async throws {
        let base = ScriptedTransport(redirecting: 302, to: "https://evil.test/")
        let log = EventLog()
        var request = try Self.request()
        request.security = Rules()
        request.events = log
        let error = await #expect(throws: TransportError.self) { try await RedirectLayer(base).send(request) }
        #expect(error?.code == .trustRefused)
        #expect(error?.origin?.host == "evil.test")
        #expect(error?.underlying is Rules.Unknown)
        #expect(base.requests.count == 1)
        #expect(log.words == ["followed 302 to GET / (status 302)", "failed: trustRefused"])
    }
}
