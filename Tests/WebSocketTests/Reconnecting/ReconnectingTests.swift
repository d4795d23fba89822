import AirframeCore
import AirframeMock
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
        while clock.sleeperCount == 0 { await Task.yield() }
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

    @Test("cancelling the reader ends the attempts at once")
    func cancels() async {
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) { Route(.get, "/socket").reply(.status(503)) }
        let session = Session(transport: mock)
        let socket = session.reconnectingWebSocket("ws://api.test/socket", configuration: .init(), policy: Self.policy)
        let reader = Task { for try await _ in socket.messages {} }
        while clock.sleeperCount == 0 { await Task.yield() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        await #expect(throws: CancellationError.self) { try await socket.send(.string("late")) }
        #expect(mock.requests.count == 1)
    }
}
