import AirframeCore
import AirframeMock
import AirframeTransport
import AirframeWebSocket
import AirframeWebSocketProtocol
import Foundation
import HTTPTypes
import Testing

@Suite("The opening handshake (RFC 6455 §4)", .timeLimit(.minutes(1)))
struct HandshakeTests {
    /// A server that answers the handshake with these fields in addition to those that are right.
    private func open(
        _ fields: HTTPFields,
        _ configuration: WebSocket.Configuration = .init()
    ) async throws -> WebSocket {
        let session = Session(transport: MockTransport { Route(.get, "/").reply(.webSocket(headers: fields, echo)) })
        return try await session.webSocket("ws://api.test/", configuration: configuration)
    }

    @Test(
        "an answer that RFC 6455 §4.1 does not allow is refused",
        arguments: [
            ([.secWebSocketProtocol: "chat"], "the server chose the protocol \"chat\", which was not requested"),
            ([.secWebSocketExtensions: "permessage-deflate"], "an extension that was not offered: permessage-deflate"),
            ([.secWebSocketExtensions: "a;"], "Sec-WebSocket-Extensions is malformed"),
        ] as [(HTTPFields, String)])
    func refuses(fields: HTTPFields, words: String) async {
        let error = await #expect(throws: AFError.self) { try await open(fields) }
        #expect(error?.webSocketError?.code == .handshakeFailed)
        #expect(error?.webSocketError?.message.contains(words) == true, "\(error?.webSocketError?.message ?? "")")
    }

    @Test(
        "an answer to permessage-deflate that RFC 7692 §7.1 does not allow is refused",
        arguments: [
            "permessage-deflate; x", "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_max_window_bits=08", "permessage-deflate; server_max_window_bits",
            "permessage-deflate; client_no_context_takeover=1", "permessage-deflate; client_max_window_bits",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
            "permessage-deflate, permessage-deflate", "permessage-bzip2",
        ])
    func refusesParameters(value: String) async {
        let error = await #expect(throws: AFError.self) {
            try await open([.secWebSocketExtensions: value], .init(compression: .standard))
        }
        #expect(error?.webSocketError?.code == .handshakeFailed)
    }

    @Test("the server must grant the requested compression parameters (RFC 7692 §7.1.1.1)")
    func missingParameter() async {
        let wanted = WebSocket.Compression(serverForgetsContext: true)
        let error = await #expect(throws: AFError.self) {
            try await open([.secWebSocketExtensions: "permessage-deflate"], .init(compression: wanted))
        }
        #expect(error?.webSocketError?.message.contains("server_no_context_takeover") == true)
    }

    @Test("an offer of windows below 8 bits fails the handshake (RFC 7692 §7.1.2)", arguments: ["server", "client"])
    func windowBelowMinimum(end: String) async {
        var wanted = WebSocket.Compression()
        wanted.serverMaximumWindowBits = 7
        wanted.clientMaximumWindowBits = 7
        let offer = wanted
        let error = await #expect(throws: AFError.self) {
            let value = "permessage-deflate; \(end)_max_window_bits=8"
            _ = try await open([.secWebSocketExtensions: value], .init(compression: offer))
        }
        #expect(error?.webSocketError?.code == .handshakeFailed)
    }

    @Test("a wrong Sec-WebSocket-Accept fails the handshake")
    func wrongAccept() async {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .upgrade(to: "websocket", headers: [.secWebSocketAccept: "AAAA"]) { _ in })
        }
        let error = await #expect(throws: AFError.self) {
            try await Session(transport: mock).webSocket("ws://api.test/")
        }
        #expect(error?.webSocketError?.message.contains("Sec-WebSocket-Accept") == true)
    }

    @Test("an ordinary response fails the handshake, which can be retried")
    func retries() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.sequence([.status(503), .status(503), .webSocket(echo)]))
        }
        let session = Session(transport: mock, interceptor: RetryPolicy(retryLimit: 3))
        let socket = try await session.webSocket("ws://api.test/")
        #expect(mock.requests.count == 3)
        let keys = Set(mock.requests.map { $0.head.headerFields[.secWebSocketKey] })
        #expect(keys.count == 3, "each attempt has its own key")
        await socket.close()
        let error = await #expect(throws: AFError.self) {
            try await Session(transport: MockTransport { Route(.get, "/").reply(.status(404)) })
                .webSocket("ws://api.test/")
        }
        #expect(error?.webSocketError?.message.contains("the server declined the WebSocket with status 404") == true)
    }

    @Test("over HTTP/2 a 2xx with a stream completes the handshake (RFC 8441 §5)")
    func extendedConnect() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.webSocket(echo)) }
        let transport = ClosureTransport { request throws(TransportError) in
            var response = try await mock.send(request)
            response.head.status = .ok
            response.head.headerFields[.secWebSocketAccept] = nil
            return response
        }
        let session = Session(transport: transport)
        let socket = try await session.webSocket("wss://api.test/")
        #expect(mock.lastRequest?.head.scheme == "https")
        try await socket.send("over HTTP/2")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("over HTTP/2"))
        await socket.close()
    }

    @Test("a subprotocol that the request's own field names can be chosen, and no other one")
    func protocolField() async throws {
        let session = Session(transport: MockTransport { Route(.get, "/").reply(.webSocket(protocol: "talk", echo)) })
        let socket = try await session.webSocket("ws://api.test/", headers: [.websocketProtocol("chat, talk")])
        #expect(socket.protocol == "talk")
        await socket.close()
        let error = await #expect(throws: AFError.self) {
            try await session.webSocket("ws://api.test/", headers: [.websocketProtocol("chat")])
        }
        #expect(error?.webSocketError?.code == .handshakeFailed)
    }

    @Test("invalid subprotocol names are rejected before anything is sent", arguments: [["a b"], ["a", "a"], [""]])
    func protocolNames(names: [String]) async {
        let error = await #expect(throws: AFError.self) { try await open([:], .init(protocols: names)) }
        #expect("\(error as Any)".contains("is not a subprotocol's name"))
    }
}
