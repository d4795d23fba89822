import Airframe
import AirframeMock
import AirframeTestSupport
import Dispatch
import Foundation
import HTTPTypes
import Testing

@Suite("A WebSocket's handshake passes the standard layers", .timeLimit(.minutes(1)))
struct WebSocketHandshakeTests {
    private func echo(_ client: MockWebSocketPeer) async throws {
        while let message = try await client.receive() { try await client.send(message) }
    }

    private func expectEcho(_ socket: WebSocket) async throws {
        try await socket.send("hello")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("hello"))
        await socket.close()
    }

    @Test("it carries the session's cookies, and stores those of the response")
    func cookies() async throws {
        let mock = MockTransport {
            Route(.get, "/login").reply(.text("hello").header(.setCookie, "session=1"))
            Route(.get, "/chat").when(header: .cookie, is: "session=1").reply(
                .webSocket(headers: [.setCookie: "seen=1"], echo))
        }
        let configuration = URLSessionConfiguration.af.ephemeral
        let session = Session(transport: mock, configuration: configuration)
        _ = try await session.request("http://api.test/login").serializingString().value
        try await expectEcho(try await session.webSocket("ws://api.test/chat"))
        #expect(Set((configuration.httpCookieStorage?.cookies ?? []).map(\.name)) == ["session", "seen"])
    }

    @Test("a redirect is followed, and the other server gets no cookie of the first")
    func redirect() async throws {
        let mock = MockTransport {
            Route(.get, "/login").reply(.text("hello").header(.setCookie, "session=1"))
            Route(.get, "/chat").reply(.redirect(to: "http://other.test/room"))
            Route(.get, "/room").reply(.webSocket(echo))
        }
        let session = Session(transport: mock, configuration: .af.ephemeral)
        _ = try await session.request("http://api.test/login").serializingString().value
        try await expectEcho(try await session.webSocket("ws://api.test/chat"))
        #expect(mock.requests.map { $0.head.authority } == ["api.test", "api.test", "other.test"])
        #expect(mock.requests.map { $0.headerFields[.cookie] } == [nil, "session=1", nil])
        // Browsers send no Accept with a handshake.
        #expect(mock.requests.map { $0.headerFields[.accept] } == ["*/*", nil, nil])
        // Each hop is a handshake of its own kind.
        #expect(mock.requests.dropFirst().allSatisfy { $0.headerFields[.secWebSocketVersion] == "13" })
    }

    @Test("a challenge is answered with the credential of the request, or of the session")
    func challenge() async throws {
        let mock = MockTransport {
            Route(.get, "/chat").when(header: .authorization, is: "Basic dXNlcjpwYXNz").reply(.webSocket(echo))
            Route(.get, "/chat").reply(.status(401).header(.wwwAuthenticate, "Basic realm=\"r\""))
        }
        let session = Session(transport: mock, configuration: .af.ephemeral)
        let request = session.webSocketRequest(to: "ws://api.test/chat").authenticate(
            username: "user", password: "pass")
        let queue = DispatchQueue(label: "handlers")
        request.send(.string("hello"), queue: queue) { _ in }
        let message = await withCheckedContinuation { continuation in
            request.streamMessageEvents(on: queue) { event in
                guard let message = event.message else { return }
                continuation.resume(returning: message)
                event.close(sending: .normalClosure)
            }
        }
        #expect(message == .string("hello"))
        #expect(mock.requests.count == 2)
    }

    @Test("a server that asks for a client certificate gets it", .enabled(if: Peers.areExpected))
    func identity() async throws {
        let configuration = URLSessionConfiguration.af.ephemeral
        let key = try #require(try Peers.der("client.key").first)
        configuration.clientIdentity = ClientIdentity(chain: try Peers.der("client.pem"), privateKey: key)
        configuration.transportOptions.tls.roots = try Peers.roots
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(configuration: configuration)
        let port = try Peers.required().port("httpsClientCert")
        let socket = try await session.webSocket("wss://localhost:\(port)/websocket/echo")
        #expect(socket.response.value(forHTTPHeaderField: "X-Client-DN")?.contains("Airframe Client") == true)
        try await expectEcho(socket)
    }
}
