import AirframeConformance
import AirframeCore
import AirframeSocket
import AirframeTransport
import AirframeWebSocket
import AirframeWebSocketProtocol
import Foundation
import Testing

/// Small messages are written without waiting and decoded where they were read, on a real socket.
@Suite("Small messages over a socket", .timeLimit(.minutes(1)))
struct SmallMessageTests {
    @Test("messages that arrive together, in parts, and before a Close frame are all delivered")
    func together() async throws {
        let large = String(repeating: "l", count: 3000)
        let server = try ScriptedServer { connection in
            try Self.accept(connection)
            try connection.send(Array(serverFrame(.text, "one") + serverFrame(.text, "two")))
            connection.pause(.milliseconds(20))
            let third = serverFrame(.binary, Data([3]))
            try connection.send(Array(third.prefix(1)))
            connection.pause(.milliseconds(20))
            try connection.send(Array(third.dropFirst() + serverFrame(.ping, "p")))
            connection.pause(.milliseconds(20))
            try connection.send(Array(serverFrame(.text, large)))
            connection.pause(.milliseconds(20))
            try connection.send(Array(serverFrame(.text, "last") + serverFrame(.close, Data([0x03, 0xE8]))))
            // The pong and the answer to the Close frame: a head of 2 bytes, a mask of 4, and 1 and 2 bytes.
            _ = try connection.read(7 + 8)
        }
        defer { server.stop() }
        let session = Self.session()
        defer { withExtendedLifetime(session) {} }
        let socket = try await session.webSocket(server.origin)
        var received: [WebSocket.Message] = []
        for try await message in socket.messages { received.append(message) }
        #expect(
            received == [.string("one"), .string("two"), .data(Data([3])), .string(large), .string("last")])
        #expect(socket.closeCode == .normalClosure)
    }

    @Test("the bytes that a full socket did not accept follow, and no message is lost or torn")
    func blocked() async throws {
        let (count, text) = (20_000, String(repeating: "m", count: 900))
        let (received, continuation) = AsyncStream<Int>.makeStream()
        let server = try ScriptedServer { connection in
            try Self.accept(connection)
            // The client fills the buffers of both sockets meanwhile.
            connection.pause(.milliseconds(200))
            var decoder = MessageDecoder(role: .server)
            var whole = 0
            while whole < count {
                decoder.receive(Data(try connection.read(908)))
                while let event = try decoder.next() {
                    // A frame that arrives in two parts is delivered in pieces.
                    if event == .text(text) || event == .end { whole += 1 }
                }
            }
            continuation.yield(whole)
            continuation.finish()
            try connection.send(Array(serverFrame(.close, Data([0x03, 0xE8]))))
            _ = try? connection.read(8)
        }
        defer { server.stop() }
        let session = Self.session()
        defer { withExtendedLifetime(session) {} }
        let socket = try await session.webSocket(server.origin)
        for _ in 0..<count { try await socket.send(text) }
        for await whole in received { #expect(whole == count) }
        for try await _ in socket.messages {}
        #expect(socket.closeCode == .normalClosure)
    }

    @Test("a reset is reported as lost, also after a read that did not wait")
    func reset() async throws {
        let server = try ScriptedServer { connection in
            try Self.accept(connection)
            try connection.send(Array(serverFrame(.text, "one")))
            connection.pause(.milliseconds(20))
            connection.reset()
        }
        defer { server.stop() }
        let session = Self.session()
        defer { withExtendedLifetime(session) {} }
        let socket = try await session.webSocket(server.origin)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("one"))
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .connectionLost)
    }

    @Test("cancelling a reader that waits for the socket closes the connection with 1001")
    func cancelled() async throws {
        let (codes, continuation) = AsyncStream<[UInt8]>.makeStream()
        let server = try ScriptedServer { connection in
            try Self.accept(connection)
            let close = try connection.read(8)
            continuation.yield(zip(close[6...], close[2...]).map { $0 ^ $1 })
            continuation.finish()
        }
        defer { server.stop() }
        let session = Self.session()
        defer { withExtendedLifetime(session) {} }
        let socket = try await session.webSocket(server.origin)
        let reader = Task { for try await _ in socket.messages {} }
        try await Task.sleep(for: .milliseconds(50))
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        for await code in codes { #expect(code == [0x03, 0xE9]) }
    }

    @Test("a ping that waits for the socket ends with the connection if the reader refuses a message")
    func refusedDuringPing() async throws {
        let (isSent, continuation) = AsyncStream<Void>.makeStream()
        let server = try ScriptedServer { connection in
            try Self.accept(connection)
            // The ping: a head of 2 bytes, a mask of 4, and 8 bytes.
            _ = try connection.read(14)
            try connection.send(Array(serverFrame(.text, "too long")))
            continuation.finish()
            // The beginning of the Close frame.
            _ = try connection.read(8)
        }
        defer { server.stop() }
        let session = Self.session()
        defer { withExtendedLifetime(session) {} }
        let socket = try await session.webSocket(server.origin, configuration: .init(maximumMessageSize: 1))
        let ping = Task { try await socket.ping() }
        for await _ in isSent {}
        // The ping has buffered the message by then, and waits for the socket again.
        try await Task.sleep(for: .milliseconds(50))
        var messages = socket.messages.makeAsyncIterator()
        await #expect(throws: WebSocketError.self) { try await messages.next() }
        let error = await #expect(throws: WebSocketError.self) { try await ping.value }
        #expect(error?.code == .messageTooBig)
    }

    private static func session() -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        return Session(composed: SocketTransport(), configuration: configuration)
    }

    /// Completes the server's side of the handshake.
    private static func accept(_ connection: ScriptedConnection) throws {
        let lines = try connection.readHead().components(separatedBy: "\r\n")
        let key = lines.first { $0.lowercased().hasPrefix("sec-websocket-key:") }?.dropFirst(18) ?? ""
        let accept = HandshakeKey(key.trimmingCharacters(in: .whitespaces)).accept
        try connection.send(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\r\n")
    }
}
