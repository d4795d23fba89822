import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@testable import AirframeCurl

@Suite("Which requests may share connections", .timeLimit(.minutes(1)))
struct ContextKeyTests {
    private func key(_ url: String, user: String?) throws -> ContextKey {
        let credential = user.map { Proxy.Credential(username: $0, password: "secret") }
        let request = TransportRequest(.get, url).with {
            $0.options.proxy = .proxy(Proxy(host: "127.0.0.1", port: 3128, credential: credential))
        }
        return try RequestPlan(alone: request).contextKey
    }

    @Test(
        "a tunnel serves one user of the proxy, a connection to a proxy that forwards serves all",
        arguments: ["other", nil])
    func users(other: String?) throws {
        let tunnel = try key("https://a.test/", user: "user")
        #expect(try key("https://a.test/", user: "user") == tunnel)
        #expect(try key("https://a.test/", user: other) != tunnel)
        #expect(try key("http://a.test/", user: "user") == key("http://a.test/", user: other))
    }
}
