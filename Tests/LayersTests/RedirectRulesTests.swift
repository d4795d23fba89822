import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Redirects: secrets and content for another origin", .timeLimit(.minutes(1)))
struct RedirectRulesTests {
    private static let body = RequestBody.bytes(Data("s3cret".utf8))
    private static let names = [
        "Authorization", "Cookie", "Cookie2", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token",
        "X-Amz-Security-Token", "X-Acme-Access-Key", "X-Session-Id", "X-CSRF-Token", "X-Hub-Signature-256",
    ]

    @Test(
        "Every secret field is removed, by every kind of redirect",
        arguments: [301, 302, 303, 307, 308],
        names
    )
    func fields(status: Int, name: String) async throws {
        let field = try #require(HTTPField.Name(name))
        for (location, isKept) in [("https://other.test/", false), ("/b", true)] {
            let base = ScriptedTransport(redirecting: status, to: location)
            var request = TransportRequest.to("https://api.test/a", fields: [.accept: "*/*"])
            request.head.headerFields[field] = "s3cret"
            _ = try await RedirectLayer(base).send(request)
            let fields = try #require(base.requests.last).head.headerFields
            #expect(fields[field] == (isKept ? "s3cret" : nil))
            #expect(fields[.accept] == "*/*")
        }
    }

    @Test("A custom policy adds fields")
    func policy() async throws {
        let base = ScriptedTransport(redirecting: 302, to: "https://other.test/")
        let tenant = try #require(HTTPField.Name("X-Tenant"))
        let rules = RedirectRules(secrets: .standard.adding(fields: [tenant]))
        let request = TransportRequest.to("https://api.test/a", fields: [tenant: "s3cret", .cookie: "s3cret"])
        _ = try await RedirectLayer(base, rules: rules).send(request)
        #expect(base.requests.last?.head.headerFields.isEmpty == true)
    }

    @Test(
        "Content is not sent to another origin unless the rules allow it (RFC 9110 §15.4.8)",
        arguments: [
            (307, "POST", "https://other.test/b?token=s3cret"), (308, "PUT", "https://api.test:8443/"),
            (302, "PUT", "https://other.test/"), (307, "POST", "https://www.api.test/"),
        ]
    )
    func content(status: Int, method: String, location: String) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let refusing = ScriptedTransport(redirecting: status, to: location)
        let request = TransportRequest.to("https://api.test/a?key=s3cret", method: method, body: Self.body)
        let error = await #expect(throws: TransportError.self) { try await RedirectLayer(refusing).send(request) }
        #expect(error?.code == .redirectRefused)
        #expect(refusing.requests.count == 1)
        let message = try #require(error?.message)
        #expect(
            message.contains("https://api.test/a?key=•••") && message.contains("RedirectRules.contentToOtherOrigins"))
        #expect(!message.contains("s3cret"))

        let sending = ScriptedTransport(redirecting: status, to: location)
        _ = try await RedirectLayer(sending, rules: RedirectRules(contentToOtherOrigins: .send)).send(request)
        #expect(sending.requests.last?.body.length == 6)
        // A request's own rules go before the layer's.
        let own = ScriptedTransport(redirecting: status, to: location)
        var allowed = request
        allowed[RedirectRules.Key.self] = RedirectRules(contentToOtherOrigins: .send)
        _ = try await RedirectLayer(own).send(allowed)
        #expect(own.requests.count == 2)
    }

    @Test("Content is kept within the origin, to https on the same host, and if a handler supplied it")
    func contentThatMayGo() async throws {
        let same = ScriptedTransport(redirecting: 307, to: "/b")
        _ = try await RedirectLayer(same).send(.to("https://api.test/a", method: .post, body: Self.body))
        #expect(same.requests.last?.body.length == 6)
        let upgrade = ScriptedTransport(redirecting: 308, to: "https://api.test/a")
        _ = try await RedirectLayer(upgrade).send(.to("http://api.test/a", method: .post, body: Self.body))
        #expect(upgrade.requests.last?.body.length == 6)
        let chosen = ScriptedTransport(redirecting: 307, to: "https://other.test/")
        var request = TransportRequest.to("https://api.test/a", method: .post, body: Self.body)
        request[RedirectDecision.self] = { _, next in RedirectedRequest(next, body: .bytes(Data("other".utf8))) }
        _ = try await RedirectLayer(chosen).send(request)
        #expect(chosen.requests.last?.body.length == 5)
        // POST becomes GET without content: nothing is refused.
        let get = ScriptedTransport(redirecting: 303, to: "https://other.test/")
        _ = try await RedirectLayer(get).send(.to("https://api.test/a", method: .post, body: Self.body))
        #expect(get.requests.last?.body.isNone == true)
    }

    @Test(
        "A redirect from https to http is refused unless the rules allow it",
        arguments: ["http://api.test/b?token=s3cret", "http://other.test/", "HTTP://api.test:443/"]
    )
    func downgrade(location: String) async throws {
        let refusing = ScriptedTransport(redirecting: 302, to: location)
        let error = await #expect(throws: TransportError.self) {
            try await RedirectLayer(refusing).send(.to("https://u:s3cret@api.test/a"))
        }
        #expect(error?.code == .redirectRefused)
        #expect(error?.urlErrorCode == -1022, "as App Transport Security says it")
        #expect(
            error?.message.contains("s3cret") == false && error?.message.contains("https://u:•••@api.test/a") == true)
        #expect(refusing.requests.count == 1)
        let following = ScriptedTransport(redirecting: 302, to: location)
        _ = try await RedirectLayer(following, rules: RedirectRules(downgrades: .follow)).send(
            .to("https://api.test/a"))
        #expect(following.requests.count == 2)
    }

    @Test("The error of too many redirects hides the secrets of the last URL")
    func tooMany() async throws {
        let base = ScriptedTransport { .redirect(302, to: "https://api.test/?harmless=1&reset_token=s3cret", from: $0) }
        let error = await #expect(throws: TransportError.self) {
            try await RedirectLayer(base, limit: 3).send(.to("https://api.test/"))
        }
        #expect(error?.code == .tooManyRedirects)
        #expect(error?.message == "more than 3 redirects, the last to https://api.test/?harmless=1&reset_token=•••")
    }
}
