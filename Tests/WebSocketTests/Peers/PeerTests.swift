import AirframeCore
import AirframeSerialization
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import AirframeWebSocket
import Foundation
import Testing

@Suite("Real servers", .timeLimit(.minutes(2)), .enabled(if: Peers.areExpected))
struct PeerTests {
    /// The URL of an echo server.
    enum Server: String, CaseIterable, CustomTestStringConvertible {
        case websockets, websocketsWithPings, websocketsInFragments, aiohttp, hypercorn, hangar, nginx, nginxTLS,
            squid

        var testDescription: String { rawValue }

        /// The libraries negotiate permessage-deflate; Hangar does not.
        var compresses: Bool {
            [.websockets, .websocketsWithPings, .websocketsInFragments, .aiohttp, .hypercorn].contains(self)
        }

        func url(_ peers: Peers) throws -> String {
            switch self {
            case .websockets: "ws://127.0.0.1:\(try peers.port("websockets"))/"
            case .websocketsWithPings: "ws://127.0.0.1:\(try peers.port("websockets"))/pings"
            case .websocketsInFragments: "ws://127.0.0.1:\(try peers.port("websockets"))/fragments"
            case .aiohttp: "ws://127.0.0.1:\(try peers.port("aiohttp"))/"
            case .hypercorn: "wss://localhost:\(try peers.port("hypercorn"))/"
            case .hangar, .squid: "ws://127.0.0.1:\(try peers.port("hangar"))/websocket/echo"
            case .nginx: "ws://127.0.0.1:\(try peers.port("http"))/websocket/echo"
            case .nginxTLS: "wss://localhost:\(try peers.port("https"))/websocket/echo"
            }
        }

        func proxy(_ peers: Peers) throws -> ProxyPolicy {
            guard self == .squid else { return .none }
            return .proxy(Proxy(host: "127.0.0.1", port: try peers.port("squidHTTP")))
        }
    }

    private func session(_ server: Server) throws -> Session {
        let peers = try Peers.required()
        let configuration = URLSessionConfiguration.af.default
        var options = TransportOptions()
        options.proxy = try server.proxy(peers)
        options.tls.roots = .pemFile(path: try peers.path("root"))
        configuration.transportOptions = options
        return Session(composed: SocketTransport(), configuration: configuration)
    }

    @Test("messages of all sizes are echoed, plain and compressed", arguments: Server.allCases, [true, false])
    func echoes(server: Server, isCompressed: Bool) async throws {
        let configuration = WebSocket.Configuration(
            protocols: ["echo"], compression: isCompressed ? .standard : nil, maximumMessageSize: 4 << 20)
        let session = try session(server)
        let socket = try await session.webSocket(server.url(Peers.required()), configuration: configuration)
        #expect((socket.extensions != nil) == (isCompressed && server.compresses))
        let choosesProtocol = server != .hypercorn
        #expect((socket.protocol == "echo") == choosesProtocol)
        var messages = socket.messages.makeAsyncIterator()
        for length in [0, 1, 125, 126, 999, 1000, 1001, 2043, 2044, 2045, 65535, 65536, 1 << 20] {
            let text = String(repeating: "ä1", count: length / 3) + String(repeating: "x", count: length % 3)
            try await socket.send(text)
            #expect(try await messages.next() == .string(text))
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 17) })
            try await socket.send(data)
            #expect(try await messages.next() == .data(data))
        }
        #expect(try await socket.ping() > .zero)
        await socket.close(code: .goingAway)
        // aiohttp answers every Close frame with 1000.
        #expect(socket.closeCode == (server == .aiohttp ? .normalClosure : .goingAway))
    }

    @Test("a session opens WebSockets on its HTTP/2 connection if the server allows it (RFC 8441)")
    func extendedConnect() async throws {
        let version = "x-version"
        let url = try Server.hypercorn.url(Peers.required())
        let session = try session(.hypercorn)
        // Without a connection, the handshake goes over HTTP/1.1.
        let first = try await session.webSocket(url)
        #expect(first.response.value(forHTTPHeaderField: version) == "1.1")
        await first.close()
        let get = try URLRequest(url: url.replacing("wss:", with: "https:"), method: .get)
        #expect(try await session.request(get).serializingString().value == "2")
        let sockets = [try await session.webSocket(url), try await session.webSocket(url)]
        for (index, socket) in sockets.enumerated() {
            #expect(socket.response.value(forHTTPHeaderField: version) == "2")
            #expect(socket.response.statusCode == 200)
            var messages = socket.messages.makeAsyncIterator()
            for length in [1, 200_000] {
                let text = "\(index)" + String(repeating: "z", count: length)
                try await socket.send(text)
                #expect(try await messages.next() == .string(text))
            }
        }
        // Another exchange between theirs.
        #expect(try await session.request(get).serializingString().value == "2")
        await sockets[0].close()
        #expect(sockets[0].closeCode == .normalClosure)
        // Hypercorn 0.18 ends the connection on the END_STREAM that follows the closing handshake (KeyError in its
        // `h2.py`).
        await sockets[1].close()
    }

    @Test("a server without extended CONNECT gets the handshake over HTTP/1.1, also with an HTTP/2 connection open")
    func withoutExtendedConnect() async throws {
        let session = try session(.nginxTLS)
        let origin = try Peers.required().https()
        let response = await session.request(origin + "/static/64.bin").serializingData().response
        #expect(response.response?.statusCode == 200)
        let socket = try await session.webSocket(Server.nginxTLS.url(Peers.required()))
        #expect(socket.response.statusCode == 101)
        try await socket.send("hello")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("hello"))
        await socket.close()
    }

    @Test(
        "a server closes in the middle of nothing; windows and contexts are negotiated",
        arguments: [
            WebSocket.Compression(clientMaximumWindowBits: 9, serverMaximumWindowBits: 9),
            WebSocket.Compression(clientForgetsContext: true, serverForgetsContext: true),
            WebSocket.Compression(clientMaximumWindowBits: 12, serverForgetsContext: true, level: 9),
        ])
    func compression(_ compression: WebSocket.Compression) async throws {
        let session = try session(.websockets)
        let url = try Server.websockets.url(Peers.required())
        let socket = try await session.webSocket(url, configuration: .init(compression: compression))
        #expect(socket.extensions?.hasPrefix("permessage-deflate") == true)
        var messages = socket.messages.makeAsyncIterator()
        for round in 0..<20 {
            let text = String(repeating: "round \(round) ", count: 500)
            try await socket.send(text, compressed: round % 3 != 0)
            #expect(try await messages.next() == .string(text))
        }
        await socket.close()
    }
}
