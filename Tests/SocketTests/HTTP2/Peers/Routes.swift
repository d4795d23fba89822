import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// HTTP/2 over every route, with both engines.
@Suite("HTTP/2 through proxies and over Unix sockets", .timeLimit(.minutes(2)), .enabled(if: Peers.areExpected))
struct Routes {
    enum Engine: String, CaseIterable, CustomTestStringConvertible {
        case sockets, curl

        var testDescription: String { rawValue }

        var transport: any Transport {
            switch self {
            case .sockets: SocketTransport()
            case .curl: CurlTransport()
            }
        }
    }

    struct Way: CustomTestStringConvertible {
        let peer: String
        let kind: Proxy.Kind
        var credential: Proxy.Credential?
        var testDescription: String { "\(peer) \(kind)" }
    }

    private static let credential = Proxy.Credential(username: "airframe", password: "secret")

    static let ways = [
        Way(peer: "squidHTTP", kind: .http), Way(peer: "squidAuth", kind: .http, credential: credential),
        Way(peer: "squidHTTPS", kind: .https), Way(peer: "socks", kind: .socks4), Way(peer: "socks", kind: .socks4a),
        Way(peer: "socks", kind: .socks5), Way(peer: "socks", kind: .socks5h),
        Way(peer: "socksAuth", kind: .socks5h, credential: credential), Way(peer: "danted", kind: .socks5),
    ]

    private func request(_ url: String, body: RequestBody = .none) throws -> TransportRequest {
        try TransportRequest(body.isNone ? .get : .post, url, body: body).with {
            $0.options.tls.roots = try Peers.roots
            $0.options.httpVersion = .http2Only
        }
    }

    @Test(
        "requests reach nginx, nghttpd and caddy through each kind of proxy by ALPN, on one connection",
        arguments: ways, Engine.allCases)
    func proxied(_ way: Way, _ engine: Engine) async throws {
        let peers = try Peers.required()
        let proxy = Proxy(
            kind: way.kind, host: "localhost", port: try peers.port(way.peer), credential: way.credential)
        for (key, path) in [("https", "/static/64.bin"), ("nghttpd", "/64.bin"), ("caddy", "/64.bin")] {
            // SOCKS 4 supports only IPv4 addresses: the peers listen on 127.0.0.1.
            let request = try request("https://127.0.0.1:\(peers.port(key))\(path)").with {
                $0.options.proxy = .proxy(proxy)
            }
            let transport = engine.transport
            let (response, body) = try await transport.fetch(request)
            #expect(response.connection?.httpVersion == .http2)
            #expect(response.connection?.isProxied == true)
            #expect(body.count == 64)
            let (second, _) = try await transport.fetch(request)
            #expect(second.connection?.isReused == true)
        }
    }

    @Test("an upload passes through a tunnel", arguments: Engine.allCases)
    func upload(_ engine: Engine) async throws {
        let peers = try Peers.required()
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let request = try request("https://127.0.0.1:\(peers.port("nghttpd"))/", body: .bytes(content)).with {
            $0.options.proxy = .proxy(Proxy(kind: .http, host: "localhost", port: try peers.port("squidHTTP")))
        }
        #expect(try await engine.transport.fetch(request).body == content)
    }

    @Test("HTTP/2 over a Unix socket, with and without TLS", arguments: Engine.allCases, [true, false])
    func unixSocket(_ engine: Engine, isSecure: Bool) async throws {
        let path = try Peers.required().path(isSecure ? "unixSocketTLS" : "unixSocketH2C")
        let request = try request("\(isSecure ? "https" : "http")://localhost/static/64.bin").with {
            $0.options.unixSocketPath = path
            $0.options.httpVersion = isSecure ? .http2Only : .http2PriorKnowledge
        }
        let (response, body) = try await engine.transport.fetch(request)
        #expect(response.connection?.httpVersion == .http2)
        #expect(response.connection?.remoteAddress == .unix(path: path))
        #expect(body.count == 64)
    }

    @Test("a server that requests a client certificate receives it", arguments: Engine.allCases)
    func identity(_ engine: Engine) async throws {
        let key = try #require(try Peers.der("client.key").first)
        let identity = ClientIdentity(chain: try Peers.der("client.pem"), privateKey: key)
        let url = try Peers.required().https("httpsClientCert") + "/static/64.bin"
        let request = try request(url).with { $0.identity = identity }
        let (response, _) = try await engine.transport.fetch(request)
        #expect(response.connection?.httpVersion == .http2)
        let name = try #require(HTTPField.Name("X-Client-DN"))
        #expect(response.head.headerFields[name]?.contains("Airframe Client") == true)
    }

    @Test("HTTP/2 to caddy without TLS with prior knowledge", arguments: Engine.allCases)
    func priorKnowledge(_ engine: Engine) async throws {
        let request = try request(Peers.required().http("caddyPlain") + "/64.bin").with {
            $0.options.httpVersion = .http2PriorKnowledge
        }
        let (response, body) = try await engine.transport.fetch(request)
        #expect(response.connection?.httpVersion == .http2)
        #expect(body.count == 64)
    }
}
