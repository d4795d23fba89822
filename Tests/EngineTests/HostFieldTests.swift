import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

/// The host of a request as its server sees it (RFC 9110 §7.2).
@Suite("The Host field", .timeLimit(.minutes(1)))
struct HostFieldTests {
    @Test(
        "the zone of an address does not leave this host (RFC 6874 §4)",
        arguments: TestedEngine.allCases, ["http", "https"]
    )
    func zone(_ engine: TestedEngine, _ scheme: String) async throws {
        let transport = engine.transport
        let head = Mutex("")
        let proxy = try ScriptedServer { connection in
            let text = try connection.readHead()
            head.withLock { $0 = text }
            try connection.respond("403 Forbidden", fields: ["Connection: close"])
        }
        let request = TransportRequest(.get, "\(scheme)://[fe80::1%25lo]:81/a").with {
            $0.options.proxy = .proxy(Proxy(kind: .http, host: "127.0.0.1", port: proxy.port))
        }
        _ = await transport.failure(of: request)
        let lines = head.withLock { $0 }.split(separator: "\r\n")
        let target = scheme == "http" ? "GET http://[fe80::1]:81/a" : "CONNECT [fe80::1]:81"
        #expect(lines.first == "\(target) HTTP/1.1")
        #expect(lines.contains("Host: [fe80::1]:81"))
        await transport.shutdown()
    }

    @Test(
        "user information and the default port of the scheme are not sent (RFC 9110 §4.2)",
        arguments: TestedEngine.allCases, ["api.test:80", "u@api.test:80", "api.test:"]
    )
    func defaultPort(_ engine: TestedEngine, _ authority: String) async throws {
        let transport = engine.transport
        let proxy = try ScriptedServer.answering()
        let request = TransportRequest(.get, "http://\(authority)/a").with {
            $0.options.proxy = .proxy(Proxy(kind: .http, host: "127.0.0.1", port: proxy.port))
        }
        #expect(try await transport.text(request) == "ok")
        let lines = try #require(proxy.connections.first).receivedText.split(separator: "\r\n")
        #expect(lines.contains("Host: api.test"))
        await transport.shutdown()
    }
}
