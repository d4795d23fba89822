import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Glibc
import HTTPTypes
import Testing

/// The names and ports of proxies, and the names of servers whose addresses a proxy gets.
@Suite("Names, ports and proxies", .timeLimit(.minutes(1)))
struct ProxyNameTests {
    /// A transport that knows no name, and learns that of the slow one last.
    private func transport(_ engine: TestedEngine, slowName: String? = nil) -> any Transport {
        let pool = LookupPool(threadLimit: 2) { host in
            if host == slowName { usleep(100_000) }
            return .failure(NameResolutionError(host: host, message: "no such name"))
        }
        return engine.transport(resolver: SystemNameResolver(pool: pool))
    }

    @Test(
        "a server's name without an address is not the fault of its SOCKS proxy",
        arguments: TestedEngine.allCases, [Proxy.Kind.socks4, .socks5]
    )
    func server(_ engine: TestedEngine, _ kind: Proxy.Kind) async throws {
        let transport = transport(engine)
        let proxy = try ScriptedServer { connection in
            if kind == .socks5 {
                // No credentials are required (RFC 1928 §3).
                _ = try connection.read(3)
                try connection.send([5, 0])
            }
            connection.waitForEnd()
        }
        var request = TransportRequest(.get, at: "server.test")
        request.options.proxy = .proxy(Proxy(kind: kind, host: "127.0.0.1", port: proxy.port))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .nameResolutionFailed, "\(error)")
        #expect(error.phase == .resolve)
        #expect(error.processing == .notSent)
        #expect(error.message.contains("server.test"))
        await transport.shutdown()
    }

    private struct FixedResolver: NameResolver {
        let answer: [String]

        func addresses(of host: String) async throws -> [String] { answer }
    }

    @Test("a server without an IPv4 address is not the fault of its SOCKS 4 proxy")
    func otherFamily() async throws {
        let transport = TestedEngine.sockets.transport(resolver: FixedResolver(answer: ["2001:db8::1"]))
        let proxy = try ScriptedServer { connection in connection.waitForEnd() }
        var request = TransportRequest(.get, at: "six.test")
        request.options.proxy = .proxy(Proxy(kind: .socks4, host: "127.0.0.1", port: proxy.port))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .nameResolutionFailed, "\(error)")
        #expect(error.processing == .notSent)
        #expect(error.message.contains("six.test has no IPv4 address"))
        await transport.shutdown()
    }

    @Test("what the protocol of a proxy cannot express is the caller's fault")
    func inexpressible() async throws {
        let transport = TestedEngine.sockets.transport
        let server = try ScriptedServer { connection in
            _ = try connection.read(4)
            // The proxy wants a name and a password (RFC 1929).
            try connection.send([5, 2])
            connection.waitForEnd()
        }
        var request = TransportRequest(.get, at: "192.0.2.1")
        let credential = Proxy.Credential(username: "", password: "secret")
        request.options.proxy = .proxy(
            Proxy(kind: .socks5, host: "127.0.0.1", port: server.port, credential: credential))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .invalidRequest)
        #expect(error.processing == .notSent)
        #expect(error.message.contains("cannot be used: SOCKS 5 takes names of 1 to 255 bytes"), "\(error)")
        await transport.shutdown()
    }

    @Test(
        "a proxy's name without an address is the proxy's fault, whichever name is answered first",
        arguments: TestedEngine.allCases, ["proxy.test", "server.test"]
    )
    func proxy(_ engine: TestedEngine, _ slowName: String) async throws {
        let transport = transport(engine, slowName: slowName)
        var request = TransportRequest(.get, at: "server.test")
        request.options.proxy = .proxy(Proxy(kind: .socks5, host: "proxy.test", port: 1080))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.phase == .proxy)
        #expect(error.message.contains("proxy.test"))
        await transport.shutdown()
    }

    @Test(
        "a proxy's port outside 1 to 65535 is refused before anything is sent",
        arguments: TestedEngine.allCases, [-1, 0, 65_536, 70_000]
    )
    func port(_ engine: TestedEngine, _ port: Int) async throws {
        let transport = engine.transport
        var request = TransportRequest(.get, at: "server.test")
        request.options.proxy = .proxy(Proxy(kind: .http, host: "127.0.0.1", port: port))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .invalidRequest, "\(error)")
        #expect(error.processing == .notSent)
        #expect(error.message.contains("the port \(port)"))
        await transport.shutdown()
    }

    @Test(
        "a request that requires HTTP/2 is not sent to a proxy that forwards over HTTP/1.1",
        arguments: TestedEngine.allCases
    )
    func priorKnowledge(_ engine: TestedEngine) async throws {
        let proxy = try ScriptedServer.answering()
        let transport = engine.transport
        var request = TransportRequest(.post, at: "server.test")
        request.options.httpVersion = .http2PriorKnowledge
        request.options.proxy = .proxy(Proxy(host: "127.0.0.1", port: proxy.port))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .unsupportedOption, "\(error)")
        #expect(error.processing == .notSent)
        #expect(proxy.connections.isEmpty)
        await transport.shutdown()
    }
}
