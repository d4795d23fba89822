import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Proxies", .needsPeers, .timeLimit(.minutes(1)))
struct ProxyTests {
    let transport = SocketTransport()

    /// A route through a peer: the proxy's kind, the peer's name, and whether it requires credentials.
    struct Way: Sendable, CustomTestStringConvertible {
        let kind: Proxy.Kind
        let peer: String
        var wantsCredentials = false
        var tunnels = false

        var testDescription: String { "\(kind) by \(peer)\(tunnels ? ", tunnelling" : "")" }
    }

    static let ways = [
        Way(kind: .http, peer: "squidHTTP"), Way(kind: .http, peer: "squidHTTP", tunnels: true),
        Way(kind: .http, peer: "squidAuth", wantsCredentials: true), Way(kind: .https, peer: "squidHTTPS"),
        Way(kind: .socks4, peer: "socks"), Way(kind: .socks4a, peer: "socks"), Way(kind: .socks5, peer: "socks"),
        Way(kind: .socks5h, peer: "socks"), Way(kind: .socks5, peer: "socksAuth", wantsCredentials: true),
        Way(kind: .socks5h, peer: "socksAuth", wantsCredentials: true),
    ]

    private func proxy(_ way: Way) throws -> Proxy {
        Proxy(
            kind: way.kind,
            host: "localhost",
            port: try Peers.required().port(way.peer),
            credential: way.wantsCredentials ? Proxy.Credential(username: "airframe", password: "secret") : nil,
            tunnelsAlways: way.tunnels
        )
    }

    @Test("every kind of proxy reaches http and https servers, and its connections are reused", arguments: ways)
    func kinds(way: Way) async throws {
        let proxy = try proxy(way)
        let roots = try Peers.roots
        for origin in [try Peers.required().http(), try Peers.required().https()] {
            for isAgain in [false, true] {
                let log = EventLog()
                let request = TransportRequest(.get, origin + "/static/64.bin").with {
                    $0.options.proxy = .proxy(proxy)
                    $0.options.tls.roots = roots
                    $0.events = log
                }
                let (response, body) = try await transport.fetch(request)
                #expect(body.count == 64)
                #expect(response.connection?.isProxied == true)
                #expect(response.connection?.isReused == isAgain)
                #expect(log.names.contains("proxyFinished") == !isAgain)
            }
        }
    }

    @Test("a proxy that requires credentials fails the request with an error that says so", arguments: [0, 1, 2])
    func credentials(index: Int) async throws {
        let (kind, peer) = [(Proxy.Kind.http, "squidAuth"), (.http, "squidAuth"), (.socks5, "socksAuth")][index]
        let proxy = Proxy(kind: kind, host: "127.0.0.1", port: try Peers.required().port(peer))
        let url = index == 0 ? try Peers.required().https() : try Peers.required().http()
        let error = try #require(
            await transport.failure(of: TransportRequest(.get, url + "/").with { $0.options.proxy = .proxy(proxy) })
        )
        #expect(error.code == .proxyFailed)
        #expect(error.phase == .proxy)
        #expect(error.message.contains("requires credentials"))
    }

    @Test("a proxy that is unreachable, hangs or violates its protocol is an error of the proxy phase")
    func broken() async throws {
        let nonsense = try ScriptedServer { connection in
            try connection.send("220 mail.test ESMTP\r\n")
            _ = try? connection.readToEnd()
        }
        let silent = try ScriptedServer.silent()
        let cases: [(Proxy, TransportError.Code)] = [
            (Proxy(host: "127.0.0.1", port: 1), .proxyFailed),
            (Proxy(host: "nowhere.invalid", port: 1), .proxyFailed),
            (Proxy(kind: .socks5, host: "127.0.0.1", port: nonsense.port), .proxyFailed),
            (Proxy(kind: .http, host: "127.0.0.1", port: nonsense.port), .proxyFailed),
            (Proxy(kind: .https, host: "127.0.0.1", port: nonsense.port), .proxyFailed),
            (Proxy(kind: .socks4, host: "127.0.0.1", port: silent.port), .timedOut),
        ]
        for (proxy, code) in cases {
            let request = TransportRequest(.get, "https://127.0.0.1:1/").with {
                $0.options.proxy = .proxy(proxy)
                $0.options.limits.connect = .milliseconds(code == .timedOut ? 200 : 20_000)
            }
            let error = try #require(await transport.failure(of: request))
            #expect(error.code == code, "\(proxy.kind): \(error)")
            #expect(error.phase == .proxy, "\(proxy.kind): \(error)")
            #expect(error.processing == .notSent)
        }
    }

    @Test("excluded hosts are reached directly")
    func excluded() async throws {
        let server = try ScriptedServer.answering()
        let proxy = Proxy(host: "127.0.0.1", port: 1, excludedHosts: ["127.0.0.0/8"])
        let request = TransportRequest(.get, server.origin).with { $0.options.proxy = .proxy(proxy) }
        #expect(try await transport.text(request) == "ok")
    }
}
