import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTransport
import AirframeWebSocket
import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("WebSocketRequest", .timeLimit(.minutes(1)))
struct WebSocketRequestTests {
    private let queue = DispatchQueue(label: "test.webSocket")

    private func session(_ serve: @escaping Reply.WebSocketHandler = echo) -> Session {
        Session(transport: MockTransport { Route(.get, "/socket").reply(.webSocket(protocol: "chat", serve)) })
    }

    /// The names of events, collected until the request has completed.
    private func events(
        of session: Session,
        configuration: WebSocketRequest.Configuration = .protocol("chat"),
        _ act: @escaping @Sendable (WebSocketRequest.Event<URLSessionWebSocketTask.Message, Never>) -> Void
    ) async -> [String] {
        let request = session.webSocketRequest(to: "ws://api.test/socket", configuration: configuration)
        return await withCheckedContinuation { continuation in
            nonisolated(unsafe) var names: [String] = []
            request.streamMessageEvents(on: queue) { event in
                switch event.kind {
                case .connected(let name): names.append("connected \(name ?? "-")")
                case .receivedMessage(.string(let text)): names.append("message \(text)")
                case .receivedMessage(.data(let data)): names.append("data \(data.count)")
                case .disconnected(let code, let reason):
                    names.append("disconnected \(code) \(String(decoding: reason ?? Data(), as: UTF8.self))")
                case .completed(let completion):
                    names.append("completed \(completion.error.map { "\($0)" } ?? "-")")
                    continuation.resume(returning: names)
                }
                act(event)
            }
            request.send(.string("hello"), queue: queue) { _ in }
        }
    }

    @Test("events come in order: connected, messages, disconnected, completed")
    func order() async {
        let names = await events(of: session()) { event in
            if event.message != nil { event.close(sending: .goingAway, reason: Data("done".utf8)) }
        }
        #expect(names == ["connected chat", "message hello", "disconnected 1001 ", "completed -"])
    }

    @Test("closing the connection cancels the request, which has no error")
    func closing() async {
        let seen = Mutex<[String]>([])
        let monitor = ClosureEventMonitor(queue: queue)
        monitor.requestDidCancel = { _ in seen.withLock { $0.append("cancel") } }
        monitor.requestDidCancelTask = { _, _ in seen.withLock { $0.append("cancel task") } }
        let mock = MockTransport { Route(.get, "/socket").reply(.webSocket(protocol: "chat", echo)) }
        let session = Session(composed: mock, eventMonitors: [monitor])
        let names = await events(of: session) { event in
            if event.message != nil { event.close(sending: .normalClosure) }
        }
        #expect(names == ["connected chat", "message hello", "disconnected 1000 ", "completed -"])
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(seen.withLock { $0 } == ["cancel", "cancel task"])
        let states = await withCheckedContinuation { continuation in
            session.withAllRequests { continuation.resume(returning: $0.map(\.state)) }
        }
        #expect(states.isEmpty)
    }

    @Test("the server's code and reason are reported")
    func serverCloses() async {
        let names = await events(
            of: session { client in
                _ = try await client.receive()
                try await client.close(code: 4000, reason: "enough")
            }
        ) { _ in }
        #expect(names == ["connected chat", "disconnected 4000 enough", "completed -"])
    }

    @Test("cancelling ends the request with explicitlyCancelled")
    func cancels() async {
        let names = await events(of: session()) { event in if event.message != nil { event.cancel() } }
        #expect(names == ["connected chat", "message hello", "completed The request was cancelled."])
    }

    @Test("messages are decoded; a failure is an event")
    func decodes() async {
        let session = session { client in
            try await client.send("{\"value\":1}")
            try await client.send("nonsense")
            try await client.send(Data("{\"value\":2}".utf8))
        }
        let request = session.webSocketRequest(to: "ws://api.test/socket", configuration: .protocol("chat"))
        var results: [String] = []
        for await event in request.webSocketTask().streamingDecodableEvents([String: Int].self) {
            switch event.kind {
            case .receivedMessage(let value): results.append("\(value["value"] ?? 0)")
            case .serializerFailed: results.append("failed")
            default: break
            }
        }
        #expect(results == ["1", "failed", "2"])
    }

    @Test("a task sends and reads")
    func task() async throws {
        let session = session()
        let task = session.webSocketRequest(to: "ws://api.test/socket", configuration: .protocol("chat"))
            .webSocketTask()
        var received: [URLSessionWebSocketTask.Message] = []
        let messages = task.streamingMessages()
        async let sent: Void = {
            try await task.send(.string("one"))
            try await task.send(.data(Data("two".utf8)))
        }()
        for await message in messages {
            received.append(message)
            if received.count == 2 { task.close(sending: .normalClosure) }
        }
        try await sent
        #expect(received == [.string("one"), .data(Data("two".utf8))])
    }

    @Test("a ping returns its pong, and is unsent without a connection")
    func pings() async {
        let session = session()
        let request = session.webSocketRequest(to: "ws://api.test/socket", configuration: .protocol("chat"))
        let unsent = await withCheckedContinuation { continuation in
            request.sendPing(respondingOn: queue) { continuation.resume(returning: $0) }
        }
        guard case .unsent = unsent else {
            Issue.record("\(unsent)")
            return
        }
        let answered = await withCheckedContinuation { continuation in
            request.streamMessageEvents(on: queue) { event in
                guard case .connected = event.kind else { return }
                event.sendPing(respondingOn: queue) { continuation.resume(returning: $0) }
            }
        }
        guard case .pong(let pong) = answered else {
            Issue.record("\(answered)")
            return
        }
        #expect(pong.latency >= 0)
        request.cancel()
    }

    @Test("monitors receive the opening, each message and the close; the task has the code")
    func monitors() async {
        let diary = Diary()
        let monitor = ClosureEventMonitor(queue: queue)
        nonisolated(unsafe) var seen: [String] = []
        monitor.webSocketTaskDidOpenWithProtocol = { _, _, name in seen.append("open \(name ?? "-")") }
        monitor.requestDidTransferTraffic = { _, traffic in seen.append("\(traffic)") }
        monitor.webSocketTaskDidCloseWithCodeAndReason = { _, task, code, _ in
            seen.append("close \(code) \(task.closeCode)")
        }
        let mock = MockTransport { Route(.get, "/socket").reply(.webSocket(protocol: "chat", echo)) }
        let session = Session(composed: mock, eventMonitors: [monitor])
        _ = await events(of: session) { event in if event.message != nil { event.close(sending: .normalClosure) } }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        await diary.note("\(seen)")
        #expect(
            seen == [
                "open chat", "sent text of 5 bytes", "received text of 5 bytes", "sent close 1000",
                "received close 1000", "close 1000 1000",
            ])
    }

    /// A subclass of a user's, which handles the events of WebSockets itself.
    ///
    /// `@unchecked Sendable`: a lock guards what it adds.
    private final class OpeningMonitor: ClosureEventMonitor, @unchecked Sendable {
        // Guards what was noted.
        private let noted = Mutex<[String]>([])
        var events: [String] { noted.withLock { $0 } }

        override func urlSession(
            _ session: URLSession,
            webSocketTask: URLSessionWebSocketTask,
            didOpenWithProtocol protocol: String?
        ) {
            noted.withLock { $0.append("open") }
        }

        override func urlSession(
            _ session: URLSession,
            webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
            reason: Data?
        ) {
            noted.withLock { $0.append("close") }
        }

        override func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
            noted.withLock { $0.append("traffic") }
        }
    }

    @Test("a subclass of ClosureEventMonitor overrides the events of WebSockets")
    func subclass() async {
        let monitor = OpeningMonitor(queue: queue)
        let mock = MockTransport { Route(.get, "/socket").reply(.webSocket(protocol: "chat", echo)) }
        let session = Session(composed: mock, eventMonitors: [monitor])
        _ = await events(of: session) { event in if event.message != nil { event.close(sending: .normalClosure) } }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(monitor.events == ["open", "traffic", "traffic", "traffic", "traffic", "close"])
    }

    @Test("a failed validation ends the request before the connection is open")
    func validation() async {
        struct Refused: Error {}
        let session = session()
        let request = session.webSocketRequest(to: "ws://api.test/socket", configuration: .protocol("chat"))
            .validate { _, _ in .failure(Refused()) }
        let completion = await withCheckedContinuation { continuation in
            request.streamMessageEvents(on: queue) { event in
                if case .completed(let completion) = event.kind { continuation.resume(returning: completion) }
            }
        }
        guard case .responseValidationFailed = completion.error else {
            Issue.record("\(completion.error as Any)")
            return
        }
    }
}
