import Airframe
import AirframeConformance
import AirframeCurl
import AirframeHAR
import AirframeMock
import AirframeSocket
import Foundation
import HTTPTypes
import Testing

@Suite("A handshake passes the layers like any request", .timeLimit(.minutes(1)))
struct HandshakeTests {
    private static func request(_ path: String = "/chat", at authority: String = "api.test") -> TransportRequest {
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: path)
        var request = TransportRequest(head)
        request.upgrade = .token("echo")
        return request
    }

    private static let echo = Reply.upgrade(to: "echo") { client in
        while let data = try await client.read() { try await client.write(data) }
    }

    /// Sends the handshake and expects an echo on its stream.
    private func expectEcho(_ transport: any Transport, _ request: TransportRequest = request()) async throws {
        let response = try await transport.send(request)
        #expect(response.head.status == .switchingProtocols)
        let stream = try #require(response.stream)
        try await stream.write(Data("hello".utf8))
        var received = Data()
        while received.count < 5, let data = try await stream.read() { received += data }
        #expect(received == Data("hello".utf8))
        stream.close()
    }

    @Test("a redirect is followed, and the next server is asked to upgrade")
    func redirects() async throws {
        let mock = MockTransport {
            Route(.get, "/chat").reply(.redirect(to: "http://other.test/room"))
            Route(.get, "/room").when(header: .upgrade, is: "echo").reply(Self.echo)
        }
        try await expectEcho(RedirectLayer(mock))
        #expect(mock.requests.map { $0.head.authority } == ["api.test", "other.test"])
    }

    @Test("a challenge is answered")
    func authenticates() async throws {
        let mock = MockTransport {
            Route(.get, "/chat").when(header: .authorization, is: "Basic dXNlcjpwYXNz").reply(Self.echo)
            Route(.get, "/chat").reply(.status(401).header(.wwwAuthenticate, "Basic realm=\"r\""))
        }
        var request = Self.request()
        request[RequestCredential.self] = HTTPCredential(
            user: "user", password: "pass", origin: Origin(scheme: "http", host: "api.test"), isShared: false)
        try await expectEcho(AuthenticationLayer(mock), request)
        #expect(mock.requests.count == 2)
    }

    @Test("it carries cookies, and stores those that the answer sets")
    func cookies() async throws {
        let mock = MockTransport {
            Route(.get, "/login").reply(.text("hello").header(.setCookie, "session=1"))
            Route(.get, "/chat").when(header: .cookie, is: "session=1").reply(
                .upgrade(to: "echo", headers: [.setCookie: "seen=1"]) { client in
                    while let data = try await client.read() { try await client.write(data) }
                }
            )
        }
        let storage = HTTPCookieStorage()
        let layer = CookieLayer(mock, storage: storage)
        var login = Self.request("/login")
        login.upgrade = nil
        _ = try await layer.send(login).body.collect(upTo: 100)
        try await expectEcho(layer)
        #expect(Set((storage.cookies ?? []).map(\.name)) == ["session", "seen"])
    }

    @Test("HSTS sends it by https")
    func strictTransportSecurity() async throws {
        let mock = MockTransport { Route(.get, "/chat").reply(Self.echo) }
        try await expectEcho(HSTSLayer(mock, store: HSTSStore(), httpsOnly: true))
        #expect(mock.requests.map { $0.head.scheme } == ["https"])
    }

    @Test("a proxy that redirects a CONNECT is not followed: its response is the answer (RFC 9110 §9.3.6)")
    func tunnelRedirect() async throws {
        let mock = MockTransport { Route(.connect, "**").reply(.redirect(to: "http://other.test/")) }
        var request = Self.request()
        request.upgrade = .tunnel(to: "db.test:5432")
        let response = try await RedirectLayer(mock).send(request)
        #expect(response.stream == nil && response.head.status.kind == .redirection)
        #expect(mock.requests.count == 1)
    }

    @Test("a route leads it to another engine")
    func routes() async throws {
        let other = MockTransport { Route(.get, "/chat").reply(Self.echo) }
        let layer = RoutingLayer(default: MockTransport()) { $0.authority == "api.test" ? other : nil }
        try await expectEcho(layer)
        #expect(other.requests.count == 1)
    }

    @Test("content decoding and waiting for a network leave the stream alone")
    func passesOn() async throws {
        let mock = MockTransport { Route(.get, "/chat").reply(Self.echo) }
        try await expectEcho(ConnectivityLayer(ContentDecodingLayer(mock)))
        try await expectEcho(Session.standardLayers(over: mock))
    }

    @Test("an archive holds the handshake, not the bytes of the stream")
    func recorded() async throws {
        let recording = RecordingTransport(MockTransport { Route(.get, "/chat").reply(Self.echo) })
        try await expectEcho(recording)
        let entry = try #require(recording.log.entries.first)
        #expect(recording.log.entries.count == 1)
        #expect(entry.response.status == 101)
        #expect(entry.response.content.size == 0)
    }

    @Test("layers over sockets: redirect, challenge, then the stream")
    func overSockets() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: /room\r\nContent-Length: 0\r\n\r\n")
            #expect(try connection.readHead().hasPrefix("GET /room "))
            try connection.send(
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n")
            #expect(try connection.readHead().contains("Authorization: Basic dXNlcjpwYXNz"))
            try connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
            while let byte = try? connection.read(1) { try connection.send(byte) }
        }
        var request = Self.request(at: "127.0.0.1:\(server.port)")
        request.options.proxy = ProxyPolicy.none
        request[RequestCredential.self] = HTTPCredential(
            user: "user",
            password: "pass",
            origin: Origin(scheme: "http", host: "127.0.0.1", port: Int(server.port)),
            isShared: false
        )
        try await expectEcho(RedirectLayer(Session.standardLayers(over: SocketTransport())), request)
    }

    @Test("an engine that cannot upgrade refuses by name")
    func refused() async {
        let request = Self.request()
        let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(request) }
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("does not support upgrades") == true)
    }
}
