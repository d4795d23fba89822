import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCurl

@Suite("Proxies", .needsPeers, .timeLimit(.minutes(1)))
struct ProxyTests {
    let transport = CurlTransport()

    private static let credential = Proxy.Credential(username: "airframe", password: "secret")

    private func request(_ url: String, _ proxy: Proxy) throws -> TransportRequest {
        let roots = try Peers.roots
        return TransportRequest(.get, url).with {
            $0.options.tls.roots = roots
            $0.options.proxy = .proxy(proxy)
        }
    }

    private func proxy(
        _ key: Peers.Key,
        _ kind: Proxy.Kind = .http,
        credential: Proxy.Credential? = nil
    ) throws -> Proxy {
        Proxy(kind: kind, host: "localhost", port: try Peers.port(key), credential: credential)
    }

    @Test(
        "each kind of proxy leads to servers in the clear and over TLS",
        arguments: [
            (Peers.Key.squidHTTP, Proxy.Kind.http), (.squidHTTPS, .https), (.socks, .socks4), (.socks, .socks4a),
            (.socks, .socks5), (.socks, .socks5h), (.danted, .socks5), (.danted, .socks5h),
        ],
        [Peers.Key.http, .https]
    )
    func kinds(place: (Peers.Key, Proxy.Kind), peer: Peers.Key) async throws {
        let log = EventLog()
        let url = try Peers.url(peer, "/static/64.bin", host: "127.0.0.1")
        let request = try request(url, try proxy(place.0, place.1)).with { $0.events = log }
        let (response, body) = try await transport.fetch(request)
        #expect(response.head.status == 200)
        #expect(body.count == 64)
        #expect(response.connection?.isProxied == true)
        #expect(log.names.contains("proxyStarted"), "\(log.names)")
        #expect(log.names.contains("proxyFinished"), "\(log.names)")
        let (second, _) = try await transport.fetch(request)
        #expect(second.connection?.isReused == true)
    }

    @Test("tunnelsAlways opens a tunnel for http as well")
    func tunnel() async throws {
        let log = EventLog()
        var proxy = try proxy(.squidHTTP)
        proxy.tunnelsAlways = true
        let request = try request(try Peers.url(.http, "/static/64.bin"), proxy).with { $0.events = log }
        let (response, _) = try await transport.fetch(request)
        #expect(response.head.headerFields[try #require(HTTPField.Name("Via"))] == nil)
        guard case .proxyFinished(200) = log.events.first(where: { "\($0.kind)".hasPrefix("proxyFinished") })?.kind
        else {
            Issue.record("no tunnel: \(log.names)")
            return
        }
    }

    @Test("the proxy receives the credential", arguments: [Peers.Key.http, .https])
    func credentials(peer: Peers.Key) async throws {
        let url = try Peers.url(peer, "/static/64.bin")
        let proxy = try proxy(.squidAuth, credential: Self.credential)
        #expect(try await transport.fetch(try request(url, proxy)).body.count == 64)
    }

    @Test("a SOCKS proxy receives the credential")
    func socksCredentials() async throws {
        let url = try Peers.url(.http, "/static/64.bin", host: "127.0.0.1")
        let proxy = try proxy(.socksAuth, .socks5, credential: Self.credential)
        #expect(try await transport.fetch(try request(url, proxy)).body.count == 64)
        let wrong = Proxy.Credential(username: "airframe", password: "wrong")
        let refused = try self.proxy(.socksAuth, .socks5, credential: wrong)
        let error = try #require(await transport.failure(of: try request(url, refused)))
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.phase == .proxy)
        #expect(!"\(error)".contains("wrong"))
    }

    @Test("a proxy that requires credentials fails the request with its status", arguments: [Peers.Key.http, .https])
    func missingCredentials(peer: Peers.Key) async throws {
        let url = try Peers.url(peer, "/static/64.bin")
        let error = try #require(await transport.failure(of: try request(url, try proxy(.squidAuth))))
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.phase == .proxy)
        #expect(error.message.contains("407"))
        #expect(error.processing != .unknown)
    }

    @Test("an unreachable proxy, or one without an address, fails the request")
    func unreachable() async throws {
        let url = try Peers.url(.http)
        for (host, port) in [("127.0.0.1", 1), ("nowhere.invalid", 3128)] {
            let error = try #require(await transport.failure(of: try request(url, Proxy(host: host, port: port))))
            #expect(error.code == .proxyFailed, "\(error)")
            #expect(error.phase == .proxy)
            #expect(error.processing == .notSent)
            #expect(error.message.contains(host))
        }
    }

    @Test(
        "a proxy that refuses a tunnel or closes the connection fails the request",
        arguments: ["HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy", ""])
    func refusedTunnel(answer: String) async throws {
        let server = try ScriptedServer.saying(answer)
        let request = try request("https://a.test/", Proxy(host: "127.0.0.1", port: server.port))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.processing == .notSent)
        #expect(answer.isEmpty || error.message.contains("503"))
    }

    @Test("the head of the response to CONNECT is not the response")
    func connectHeader() async throws {
        let server = try ScriptedServer { connection in
            #expect(try connection.readHead().hasPrefix("CONNECT a.test:80 HTTP/1.1\r\n"))
            try connection.send("HTTP/1.1 200 Established\r\nX-Proxy: yes\r\n\r\n")
            try connection.readHead()
            try connection.respond(fields: ["X-Server: yes"], body: "ok")
        }
        let proxy = Proxy(host: "127.0.0.1", port: server.port, tunnelsAlways: true)
        let (response, _) = try await transport.fetch(try request("http://a.test/", proxy))
        #expect(response.head.headerFields[try #require(HTTPField.Name("X-Proxy"))] == nil)
        #expect(response.head.headerFields[try #require(HTTPField.Name("X-Server"))] == "yes")
    }

    @Test("a forwarded request is in absolute form and has the caller's fields only")
    func absoluteForm() async throws {
        let server = try ScriptedServer.answering()
        let request = try request("http://a.test/path?q", Proxy(host: "127.0.0.1", port: server.port))
        _ = try await transport.fetch(request)
        let lines = server.connections[0].receivedText.components(separatedBy: "\r\n")
        #expect(lines.prefix(3) == ["GET http://a.test/path?q HTTP/1.1", "Host: a.test", ""])
    }

    @Test("excluded hosts are reached directly")
    func excluded() async throws {
        let server = try ScriptedServer.answering()
        let proxy = Proxy(host: "127.0.0.1", port: 1, excludedHosts: ["127.0.0.0/8"])
        let (response, _) = try await transport.fetch(try request(server.origin, proxy))
        #expect(response.connection?.isProxied == false)
    }

    @Test("the certificate of a proxy that is reached over TLS is checked")
    func proxyCertificate() async throws {
        let url = try Peers.url(.http)
        let proxy = Proxy(kind: .https, host: "localhost", port: try Peers.port(.httpsExpired))
        let error = try #require(await transport.failure(of: try request(url, proxy)))
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.message.contains("expired"), "\(error)")
    }

    @Test("the evaluation gets the server's chain, not the proxy's")
    func evaluation() async throws {
        let url = try Peers.url(.https, "/static/64.bin")
        let port = try Peers.port(.https)
        let trust = ClosureTrustEvaluation { _, host, asked, _ in
            guard host == "localhost", asked == port else { throw SourceBroke() }
        }
        let request = try request(url, try proxy(.squidHTTPS, .https)).with { $0.trust = trust }
        #expect(try await transport.fetch(request).body.count == 64)
    }
}
