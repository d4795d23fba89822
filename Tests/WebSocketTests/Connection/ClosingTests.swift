import AirframeCore
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import AirframeWebSocket
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The closing handshake (RFC 6455 §7)", .timeLimit(.minutes(1)))
struct ClosingTests {
    @Test(
        "the server's code and reason are reported; 1000 and 1001 are orderly",
        arguments: [
            (1000, true), (1001, true), (1002, false), (4001, false),
        ] as [(UInt16, Bool)])
    func serverCloses(code: UInt16, isOrderly: Bool) async throws {
        let open = try await OpenSocket { client in
            try await client.send("last")
            try await client.close(code: code, reason: "bye")
        }
        var messages = open.socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("last"))
        do {
            #expect(try await messages.next() == nil)
            #expect(isOrderly)
        } catch let error as WebSocketError {
            #expect(!isOrderly && error.code == .closed && error.message.hasSuffix("with code \(code): bye"))
        }
        #expect(open.socket.closeCode?.rawValue == Int(code))
        #expect(open.socket.closeReason == "bye")
    }

    @Test("the client's code and reason are sent; the reason is truncated to 123 bytes (RFC 6455 §5.5)")
    func closes() async throws {
        let diary = Diary()
        let open = try await OpenSocket { client in
            guard case .close(let code, let reason)? = try await client.nextEvent() else { return }
            await diary.note("\(code ?? 0) \(reason.utf8.count)")
            try await client.close(code: code)
        }
        await open.socket.close(code: .init(rawValue: 4002) ?? .invalid, reason: String(repeating: "ä", count: 100))
        #expect(await diary.entries == ["4002 122"])
        #expect(open.socket.closeCode?.rawValue == 4002)
    }

    @Test(
        "after a close with any code the messages end, and a send does not blame the server",
        arguments: [.normalClosure, .policyViolation] as [WebSocket.CloseCode], [true, false])
    func closesHere(code: WebSocket.CloseCode, isAnswered: Bool) async throws {
        let open = try await OpenSocket(.init(closeTimeout: .seconds(5))) { client in
            while let event = try await client.nextEvent() {
                if case .close(let code, _) = event, isAnswered { try await client.close(code: code) }
            }
        }
        var messages = open.socket.messages.makeAsyncIterator()
        await open.socket.close(code: code)
        #expect(try await messages.next() == nil)
        let error = await #expect(throws: WebSocketError.self) { try await open.socket.send("late") }
        #expect(error?.code == .closedLocally)
    }

    /// Sends a message when the client's Close frame is reported, which the connection has queued by then.
    private final class LateSender: EventMonitor {
        private struct LateSend {
            var socket: WebSocket?
            var task: Task<Void, any Error>?
        }

        // Guards the socket and the send.
        private let state = Mutex(LateSend())
        let isCalledSynchronously = true
        var task: Task<Void, any Error>? { state.withLock { $0.task } }

        func use(_ socket: WebSocket) { state.withLock { $0.socket = socket } }

        func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
            guard traffic.direction == .sent, case .close = traffic.kind,
                let socket = state.withLock({ $0.socket })
            else { return }
            let task = Task.immediate { try await socket.send("late") }
            state.withLock { $0.task = task }
        }
    }

    @Test("no message follows the Close frame that answers the server's (RFC 6455 §5.5.1)")
    func nothingAfterClose() async throws {
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .webSocket { client in
                    try await client.close()
                    while try await client.nextEvent() != nil {}
                })
        }
        let monitor = LateSender()
        let session = Session(composed: mock, eventMonitors: [monitor])
        defer { withExtendedLifetime(session) {} }
        let socket = try await session.webSocket("ws://api.test/socket")
        monitor.use(socket)
        for try await _ in socket.messages {}
        try await eventually("the send") { monitor.task != nil }
        let task = try #require(monitor.task)
        let error = await #expect(throws: WebSocketError.self) { try await task.value }
        #expect(error?.code == .closed)
    }

    @Test("the connection is closed after the timeout if the server does not respond")
    func closeTimeout() async throws {
        let open = try await OpenSocket(.init(closeTimeout: .seconds(5))) { client in
            while try await client.nextEvent() != nil {}
        }
        let start = open.mock.virtualClock.now
        await open.socket.close()
        #expect(start.duration(to: open.mock.virtualClock.now) >= .seconds(5))
        #expect(open.socket.closeCode == .abnormalClosure)
    }

    @Test("a connection that ends without a Close frame is reported as lost (RFC 6455 §7.1.5)")
    func lost() async throws {
        struct Broken: Error {}
        let open = try await OpenSocket { _ in throw Broken() }
        var messages = open.socket.messages.makeAsyncIterator()
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .connectionLost)
        #expect(open.socket.closeCode == .abnormalClosure)
    }

    @Test("cancelling the reader closes the connection with 1001")
    func cancelsReader() async throws {
        let diary = Diary()
        let open = try await OpenSocket { client in
            while let event = try await client.nextEvent() {
                guard case .close(let code, _) = event else { continue }
                await diary.note("\(code ?? 0)")
                try await client.close(code: code)
            }
        }
        let socket = open.socket
        let reader = Task { for try await _ in socket.messages {} }
        await Task.yield()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        try await eventually("the Close frame") { await !diary.entries.isEmpty }
        #expect(await diary.entries == ["1001"])
    }

    @Test("releasing the socket closes the connection with 1001")
    func drops() async throws {
        let diary = Diary()
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .webSocket { client in
                    while let event = try await client.nextEvent() {
                        guard case .close(let code, _) = event else { continue }
                        await diary.note("\(code ?? 0)")
                        try await client.close(code: code)
                    }
                }
            )
        }
        let session = Session(transport: mock)
        do { _ = try await session.webSocket("ws://api.test/socket") }
        try await eventually("the Close frame") { await !diary.entries.isEmpty }
        #expect(await diary.entries == ["1001"])
    }
}
