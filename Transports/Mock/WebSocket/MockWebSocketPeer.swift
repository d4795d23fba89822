internal import AirframeWebSocketProtocol
public import FoundationEssentials
internal import Synchronization

/// The server of a WebSocket; see ``Reply/webSocket(protocol:headers:_:)``.
///
/// One task at a time reads, and one at a time sends. Waiting takes no real time: the mock's clock advances meanwhile.
public final class MockWebSocketPeer: Sendable {
    /// A message (RFC 6455 §5.6).
    public enum Message: Sendable, Hashable {
        /// A text message.
        case text(String)
        /// A binary message.
        case binary(Data)
    }

    /// Something that the client sent.
    public enum Event: Sendable, Hashable {
        /// A message.
        case message(Message)
        /// A ping and its payload.
        case ping(Data)
        /// A pong and its payload.
        case pong(Data)
        /// A Close frame: its code, `nil` for none, and its reason.
        case close(code: UInt16?, reason: String)
    }

    fileprivate struct Progress {
        var decoder = MessageDecoder(role: .server)
        var encoder = FrameEncoder(role: .server)
        var hasSentClose = false
        var hasReceivedClose = false
        /// A message that is on its way.
        var open: (kind: MessageKind, data: Data)?
    }

    private let stream: MockStreamPeer
    // Guards the state of the protocol.
    private let progress = Mutex(Progress())

    init(_ stream: MockStreamPeer) { self.stream = stream }

    // MARK: Receiving

    /// Returns the next message. Pings are answered, and so is the client's Close frame.
    ///
    /// - Returns: The message, or `nil` once the client has closed the connection.
    /// - Throws: `CancellationError` when the client has dropped it; ``Violation`` when it broke a rule.
    public func receive() async throws -> Message? {
        while let event = try await nextEvent() {
            switch event {
            case .message(let message): return message
            case .ping(let payload): try await pong(payload)
            case .pong: continue
            case .close(let code, _):
                try await close(code: code)
                return nil
            }
        }
        return nil
    }

    /// Returns the next message or control frame, and answers none of them.
    ///
    /// - Returns: The event, or `nil` once the client has ended its direction.
    /// - Throws: `CancellationError` when the client has dropped the connection; ``Violation`` when it broke a rule.
    public func nextEvent() async throws -> Event? {
        while true {
            if let event = try takeEvent() { return event }
            guard let bytes = try await stream.read() else { return nil }
            progress.withLock { $0.decoder.receive(bytes) }
        }
    }

    /// A rule of RFC 6455 that the client broke.
    public struct Violation: Error, CustomStringConvertible {
        /// The rule and its section.
        public let description: String
    }

    private func takeEvent() throws -> Event? {
        try progress.withLock { progress in
            do {
                while let event = try progress.decoder.next() {
                    if let event = progress.take(event) { return event }
                }
                return nil
            } catch {
                throw Violation(description: "the client broke a rule: \(error)")
            }
        }
    }

    // MARK: Sending

    /// Sends a message.
    ///
    /// - Throws: `CancellationError` if the client has closed the stream.
    public func send(_ message: Message) async throws {
        switch message {
        case .text(let text): try await send(text)
        case .binary(let data): try await send(data)
        }
    }

    /// Sends a text message, as one frame or as several fragments (RFC 6455 §5.4).
    ///
    /// - Parameter fragments: The payload of each frame.
    /// - Throws: `CancellationError` if the client has closed the stream.
    public func send(_ fragments: String...) async throws {
        try await send(.text, fragments.map { Data($0.utf8) })
    }

    /// Sends a binary message, as one frame or as several fragments (RFC 6455 §5.4).
    ///
    /// - Parameter fragments: The payload of each frame.
    /// - Throws: `CancellationError` if the client has closed the stream.
    public func send(_ fragments: Data...) async throws { try await send(.binary, fragments) }

    /// Sends a ping (RFC 6455 §5.5.2).
    ///
    /// - Parameter payload: The payload, which is not checked: a valid one has at most 125 bytes.
    /// - Throws: `CancellationError` if the client has closed the stream.
    public func ping(_ payload: Data = Data()) async throws { try await write(.ping, payload) }

    /// Sends a pong (RFC 6455 §5.5.3).
    ///
    /// - Parameter payload: The payload, which is not checked: a valid one has at most 125 bytes.
    /// - Throws: `CancellationError` if the client has closed the stream.
    public func pong(_ payload: Data = Data()) async throws { try await write(.pong, payload) }

    /// Sends a Close frame (RFC 6455 §5.5.1), unless one was sent.
    ///
    /// - Parameters:
    ///   - code: The code; `nil` for a frame without one. It need not be one that may be sent.
    ///   - reason: The reason.
    /// - Throws: `CancellationError` if the client has closed the stream.
    public func close(code: UInt16? = 1000, reason: String = "") async throws {
        let bytes = progress.withLock { progress -> Data? in
            guard !progress.hasSentClose else { return nil }
            progress.hasSentClose = true
            return progress.encoder.close(CloseStatus(code: code, reason: Data(reason.utf8)))
        }
        if let bytes { try await stream.write(bytes) }
    }

    /// Sends bytes as they are: frames that no server may send.
    ///
    /// - Throws: `CancellationError` if the client has closed the stream.
    public func write(_ bytes: Data) async throws { try await stream.write(bytes) }

    private func send(_ kind: MessageKind, _ fragments: [Data]) async throws {
        for (index, data) in fragments.enumerated() {
            let isLast = index == fragments.count - 1
            let bytes = progress.withLock {
                $0.encoder.frame(index == 0 ? kind.opcode : .continuation, data, isFinal: isLast)
            }
            try await stream.write(bytes)
        }
    }

    private func write(_ opcode: Opcode, _ payload: Data) async throws {
        try await stream.write(progress.withLock { $0.encoder.frame(opcode, payload) })
    }

    /// Completes the closing handshake (RFC 6455 §7.1.1).
    func finish() async throws {
        try await close()
        while !progress.withLock({ $0.hasReceivedClose }), try await nextEvent() != nil {}
    }
}

extension MockWebSocketPeer.Progress {
    /// Puts messages together.
    fileprivate mutating func take(_ event: MessageDecoder.Event) -> MockWebSocketPeer.Event? {
        switch event {
        case .text(let text): return .message(.text(text))
        case .binary(let data): return .message(.binary(data))
        case .start(let kind): open = (kind, Data())
        case .piece(let data): open?.data.append(data)
        case .end:
            defer { open = nil }
            return open.map { .message(.init($0.kind, $0.data)) }
        case .ping(let payload): return .ping(payload)
        case .pong(let payload): return .pong(payload)
        case .close(let status):
            hasReceivedClose = true
            return .close(code: status.code, reason: String(decoding: status.reason, as: UTF8.self))
        }
        return nil
    }
}

extension MockWebSocketPeer.Message {
    fileprivate init(_ kind: MessageKind, _ data: Data) {
        self = kind == .text ? .text(String(decoding: data, as: UTF8.self)) : .binary(data)
    }
}
