import AirframeCore
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import AirframeWebSocket
import Foundation
import HTTPTypes
import Testing

@Suite("Pings (RFC 6455 §5.5.2)", .timeLimit(.minutes(1)))
struct KeepAliveTests {
    @Test(
        "a ping returns its round-trip time, with and without a reader",
        arguments: [true, false])
    func roundTrip(isRead: Bool) async throws {
        let open = try await OpenSocket { client in
            while let event = try await client.nextEvent() {
                guard case .ping(let payload) = event else { return }
                try await client.send("before the pong")
                try await client.pong(payload)
            }
        }
        let socket = open.socket
        let reader = isRead ? Task { for try await _ in socket.messages {} } : nil
        #expect(try await socket.ping() >= .zero)
        #expect(try await socket.ping() >= .zero)
        if !isRead {
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .string("before the pong"))
        }
        reader?.cancel()
    }

    @Test("an unsolicited pong is ignored (RFC 6455 §5.5.3)")
    func unsolicited() async throws {
        let open = try await OpenSocket { client in
            try await client.pong(Data("12345678".utf8))
            try await client.pong()
            try await client.send("fine")
        }
        var messages = open.socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("fine"))
    }

    @Test("a server that sends no pong is disconnected after the timeout", arguments: [256 << 10, 0])
    func deadPeer(bufferedSize: Int) async throws {
        let keepAlive = WebSocket.KeepAlive(interval: .seconds(30), timeout: .seconds(10))
        var configuration = WebSocket.Configuration(keepAlive: keepAlive)
        configuration.maximumBufferedSize = bufferedSize
        let open = try await OpenSocket(configuration) { client in
            while try await client.nextEvent() != nil {}
        }
        var messages = open.socket.messages.makeAsyncIterator()
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .keepAliveTimedOut)
        let waited = open.mock.virtualClock.elapsed
        #expect(waited >= .seconds(40) && waited < .seconds(60))
    }

    /// Opens a WebSocket on a manual clock that buffers three messages, and pings its server. The server sends ten
    /// messages after the ping, and then `end`.
    private func flooded(
        _ clock: VirtualClock,
        _ end: @escaping @Sendable (MockWebSocketPeer, Data) async throws -> Void
    ) async throws -> (Session, WebSocket) {
        let mock = MockTransport(configuration: .init(clock: clock)) {
            Route(.get, "/socket").reply(
                .webSocket { client in
                    guard case .ping(let payload)? = try await client.nextEvent() else { return }
                    for _ in 0..<10 { try await client.send(String(repeating: "m", count: 300)) }
                    try await end(client, payload)
                })
        }
        let session = Session(transport: mock)
        let keepAlive = WebSocket.KeepAlive(interval: .seconds(30), timeout: .seconds(10))
        var configuration = WebSocket.Configuration(keepAlive: keepAlive)
        configuration.maximumBufferedSize = 1000
        let socket = try await session.webSocket("ws://api.test/socket", configuration: configuration)
        try await Self.pass(.seconds(30), on: clock)
        return (session, socket)
    }

    /// Lets time pass up to the next instant that a task waits for.
    private static func pass(_ duration: Duration, on clock: VirtualClock) async throws {
        try await eventually("the wait") { clock.nextDeadline == clock.now.advanced(by: duration) }
        await clock.advance(by: duration)
        await clock.settle()
    }

    @Test("a server whose pong is behind messages that a slow reader takes stays connected")
    func slowReader() async throws {
        let clock = VirtualClock(.manual)
        let (session, socket) = try await flooded(clock) { client, payload in
            try await client.pong(payload)
            try await client.close()
        }
        defer { withExtendedLifetime(session) {} }
        var messages = socket.messages.makeAsyncIterator()
        for _ in 0..<3 {
            _ = try #require(try await messages.next())
            await clock.settle()
            try await Self.pass(.seconds(10), on: clock)
        }
        for _ in 3..<10 { _ = try #require(try await messages.next()) }
        #expect(try await messages.next() == nil)
        #expect(socket.closeCode == .normalClosure)
    }

    @Test("a server that dies while unread messages fill the buffer is disconnected once they are read")
    func deadBehindMessages() async throws {
        let clock = VirtualClock(.manual)
        let (session, socket) = try await flooded(clock) { client, _ in
            while try await client.nextEvent() != nil {}
        }
        defer { withExtendedLifetime(session) {} }
        try await Self.pass(.seconds(10), on: clock)
        let diary = Diary()
        let reader = Task { for try await _ in socket.messages { await diary.note("message") } }
        try await eventually("the messages") { await diary.entries.count == 10 }
        // The first ten seconds include the messages.
        for _ in 0..<2 { try await Self.pass(.seconds(10), on: clock) }
        let error = await #expect(throws: WebSocketError.self) { try await reader.value }
        #expect(error?.code == .keepAliveTimedOut)
    }

    @Test("pongs for a server that does not read are bounded, and displace no ping")
    func boundedPongs() async throws {
        let (isBlocked, block) = AsyncStream<Void>.makeStream()
        let (isFlooded, flood) = AsyncStream<Void>.makeStream()
        let open = try await OpenSocket { client in
            for await _ in isBlocked {}
            for number in 0..<100 { try await client.ping(Data("\(number)".utf8)) }
            try await client.send("the last")
            for await _ in isFlooded {}
            var pongs: [Data] = []
            while let event = try await client.nextEvent() {
                switch event {
                case .message: continue
                case .ping(let payload): try await client.pong(payload)
                case .pong(let payload): pongs.append(payload)
                case .close(let code, _):
                    #expect(pongs.count == 63 && pongs.last == Data("99".utf8))
                    try await client.close(code: code)
                }
            }
        }
        let socket = open.socket
        // The message fills the connection, and the ping waits for its end. Both tasks run up to their first wait.
        let message = Task.immediate { try await socket.send(Data(count: 1 << 20)) }
        let ping = Task.immediate { try await socket.ping() }
        block.finish()
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("the last"))
        flood.finish()
        try await message.value
        #expect(try await ping.value >= .zero)
        await socket.close()
    }

    @Test("a responsive server is pinged at the interval")
    func livePeer() async throws {
        let diary = Diary()
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) {
            Route(.get, "/socket").reply(
                .webSocket { client in
                    for _ in 0..<3 {
                        guard case .ping(let payload)? = try await client.nextEvent() else { return }
                        await diary.note("ping")
                        try await client.pong(payload)
                    }
                    try await client.close()
                })
        }
        let session = Session(transport: mock)
        let keepAlive = WebSocket.KeepAlive(interval: .seconds(30), timeout: .seconds(10))
        let socket = try await session.webSocket("ws://api.test/socket", configuration: .init(keepAlive: keepAlive))
        let reader = Task { for try await _ in socket.messages {} }
        for round in 1...3 {
            // The pong of the last round has come when the next ping's time is the only one waited for.
            try await eventually("the pong") { clock.nextDeadline == clock.now.advanced(by: .seconds(30)) }
            await clock.advance(by: .seconds(30))
            try await eventually("the ping") { await diary.entries.count >= round }
        }
        try await reader.value
        #expect(await diary.entries.count == 3)
    }
}
