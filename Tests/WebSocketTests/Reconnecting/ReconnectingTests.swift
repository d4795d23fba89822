import AirframeCore
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import AirframeWebSocket
import Foundation
import HTTPTypes
import Testing

@Suite("ReconnectingWebSocket", .timeLimit(.minutes(1)))
struct ReconnectingTests {
    private static let policy = ReconnectingWebSocket.Policy(
        initialDelay: .seconds(10), maximumDelay: .seconds(40), hasJitter: false)

    private struct Broken: Error {}

    @Test("messages continue over a new connection, which is prepared first")
    func reconnects() async throws {
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .sequence([
                    .webSocket { client in
                        #expect(try await client.receive() == .text("subscribe"))
                        try await client.send("one")
                        throw Broken()
                    },
                    .status(503),
                    .webSocket { client in
                        #expect(try await client.receive() == .text("subscribe"))
                        try await client.send("two")
                        try await client.close()
                    },
                ])
            )
        }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket(
            "ws://api.test/socket", configuration: .init(), policy: Self.policy
        ) { try await $0.send("subscribe") }
        var received: [WebSocket.Message] = []
        for try await message in socket.messages { received.append(message) }
        #expect(received == [.string("one"), .string("two")])
        #expect(mock.requests.count == 3)
        // 10 s after the connection was lost, 20 s after the 503.
        #expect(mock.virtualClock.elapsed >= .seconds(30))
    }

    @Test(
        "an answer that will not change ends the attempts",
        arguments: [.unauthorized, .notFound] as [HTTPResponse.Status])
    func refused(status: HTTPResponse.Status) async {
        let session = Session(transport: MockTransport { Route(.get, "/socket").reply(.status(status)) })
        let socket = session.reconnectingWebSocket("ws://api.test/socket", policy: Self.policy)
        let error = await #expect(throws: AFError.self) { for try await _ in socket.messages {} }
        #expect(error?.webSocketError?.statusCode == status.code)
        await #expect(throws: AFError.self) { try await socket.send(.string("late")) }
    }

    @Test("the attempts end after the maximum number of consecutive failures")
    func limit() async {
        var policy = Self.policy
        policy.maximumFailures = 3
        let mock = MockTransport { Route(.get, "/socket").reply(.status(503)) }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", policy: policy)
        await #expect(throws: AFError.self) { for try await _ in socket.messages {} }
        #expect(mock.requests.count == 3)
    }

    @Test("connections that are lost immediately count as failures", arguments: [true, false])
    func lostAtOnce(isBroken: Bool) async throws {
        var policy = Self.policy
        policy.maximumFailures = 3
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .webSocket { client in
                    if isBroken { throw Broken() }
                    try await client.close(code: 1001)
                })
        }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: policy)
        let error = await #expect(throws: WebSocketError.self) { for try await _ in socket.messages {} }
        let code: WebSocketError.Code = isBroken ? .connectionLost : .reconnectionFailed
        #expect(error?.code == code)
        #expect(mock.requests.count == 3)
        await #expect(throws: WebSocketError.self) { try await socket.send(.string("late")) }
    }

    @Test("a message that is sent resets the count of failures if its connection has lasted", arguments: [true, false])
    func sendsOnly(lasts: Bool) async throws {
        var policy = Self.policy
        policy.maximumFailures = 3
        let receivesTwo = Reply.webSocket { client in
            for _ in 0..<2 { _ = try await client.receive() }
            throw Broken()
        }
        let mock = MockTransport {
            Route(.get, "/socket").reply(.sequence([receivesTwo, receivesTwo, .status(503), .webSocket(echo)]))
        }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: policy)
        for _ in 0..<2 {
            try await socket.send(.string("first"))
            if lasts { try await mock.virtualClock.sleep(for: .seconds(10)) }
            await #expect(throws: UnsentMessageError.self) { while true { try await socket.send(.string("more")) } }
        }
        if lasts {
            try await socket.send(.string("last"))
        } else {
            await #expect(throws: AFError.self) { try await socket.send(.string("last")) }
        }
        #expect(mock.requests.count == (lasts ? 4 : 3))
    }

    @Test("retryNow ends the wait")
    func retryNow() async throws {
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) {
            Route(.get, "/socket").reply(.sequence([.status(503), .webSocket { try await $0.send("here") }]))
        }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        let reader = Task {
            var messages = socket.messages.makeAsyncIterator()
            return try await messages.next()
        }
        try await eventually("the wait") { clock.sleeperCount > 0 }
        socket.retryNow()
        #expect(try await reader.value == .string("here"))
        #expect(clock.elapsed == .zero)
    }

    @Test("a message that the connection did not accept is reported")
    func unsent() async throws {
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .webSocket { client in
                    try await client.send("here")
                    throw Broken()
                })
        }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("here"))
        let open = try #require(socket.current)
        await open.close()
        let error = await #expect(throws: UnsentMessageError.self) { try await socket.send(.string("lost")) }
        #expect(error?.message == .string("lost"))
    }

    @Test(
        "messages that arrived before a send found the connection closed are delivered, and 1000 ends the messages",
        arguments: [(1000, ["two", "three"]), (1001, ["two", "three", "four"])] as [(UInt16, [String])])
    func failedSend(code: UInt16, rest: [String]) async throws {
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .sequence([
                    .webSocket { client in
                        try await client.send("one")
                        guard case .ping? = try await client.nextEvent() else { return }
                        try await client.send("two")
                        try await client.send("three")
                        try await client.close(code: code)
                    },
                    .webSocket { client in
                        try await client.send("four")
                        try await client.close()
                    },
                ])
            )
        }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("one"))
        let open = try #require(socket.current)
        // The ping reads past the messages, up to the Close frame.
        await #expect(throws: WebSocketError.self) { try await open.ping() }
        await #expect(throws: UnsentMessageError.self) { try await socket.send(.string("late")) }
        for text in rest { #expect(try await messages.next() == .string(text)) }
        #expect(try await messages.next() == nil)
    }

    @Test("close ends the messages also of a connection that a send found closed")
    func closesAfterFailedSend() async throws {
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .webSocket { client in
                    try await client.send("one")
                    guard case .ping? = try await client.nextEvent() else { return }
                    try await client.send("two")
                    try await client.close(code: 1001)
                })
        }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("one"))
        let open = try #require(socket.current)
        // The ping reads past the messages, up to the Close frame.
        await #expect(throws: WebSocketError.self) { try await open.ping() }
        await #expect(throws: UnsentMessageError.self) { try await socket.send(.string("late")) }
        await socket.close()
        #expect(try await messages.next() == nil)
    }

    @Test("close ends the messages")
    func closes() async throws {
        let session = Session(
            transport: MockTransport {
                Route(.get, "/socket").reply(
                    .webSocket { client in
                        try await client.send("one")
                        while try await client.receive() != nil {}
                    })
            })
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("one"))
        await socket.close()
        #expect(try await messages.next() == nil)
    }

    @Test("close while connecting ends the messages, and fails the sends")
    func closesWhileConnecting() async throws {
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) { Route(.get, "/socket").reply(.status(503)) }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        let reader = Task { for try await _ in socket.messages {} }
        let sender = Task { try await socket.send(.string("unsent")) }
        try await eventually("the wait") { clock.sleeperCount > 0 }
        await socket.close()
        try await reader.value
        let error = await #expect(throws: WebSocketError.self) { try await sender.value }
        #expect(error?.code == .closedLocally)
    }

    @Test("close while a connection is prepared ends the messages")
    func closesWhilePreparing() async throws {
        let diary = Diary()
        let session = Session(transport: MockTransport { Route(.get, "/socket").reply(.webSocket(echo)) })
        let socket = session.reconnectingWebSocket(
            "ws://api.test/socket", configuration: .init(), policy: Self.policy
        ) { _ in
            await diary.note("preparing")
            try await Task.sleep(for: .seconds(3600))
        }
        let reader = Task { for try await _ in socket.messages {} }
        try await eventually("the preparation") { await !diary.entries.isEmpty }
        await socket.close()
        try await reader.value
    }

    @Test("a cancelled send does not wait for the attempts, and a released socket ends them")
    func released() async throws {
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) { Route(.get, "/socket").reply(.status(503)) }
        let session = Session(transport: mock)
        do {
            let socket = session.reconnectingWebSocket(
                "ws://api.test/socket", configuration: .init(), policy: Self.policy)
            let sender = Task { try await socket.send(.string("unsent")) }
            try await eventually("the wait") { clock.sleeperCount > 0 }
            sender.cancel()
            await #expect(throws: CancellationError.self) { try await sender.value }
            #expect(clock.sleeperCount == 1)
        }
        try await eventually("the end of the wait") { clock.sleeperCount == 0 }
        #expect(mock.requests.count == 1)
    }

    @Test("cancelling the reader ends the attempts immediately")
    func cancels() async throws {
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) { Route(.get, "/socket").reply(.status(503)) }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        let reader = Task { for try await _ in socket.messages {} }
        try await eventually("the wait") { clock.sleeperCount > 0 }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        await #expect(throws: CancellationError.self) { try await socket.send(.string("late")) }
        #expect(mock.requests.count == 1)
    }
}
