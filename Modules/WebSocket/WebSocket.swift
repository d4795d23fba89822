public import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
public import Foundation

/// An open WebSocket (RFC 6455).
///
/// ```swift
/// let socket = try await session.webSocket("wss://api.test/prices")
/// try await socket.send("subscribe")
/// for try await message in socket.messages { print(message) }
/// ```
///
/// Messages are pulled: a reader that is slow slows the server down, and nothing is read while nobody reads, pings or
/// closes. Sending returns when the connection has accepted the data. Any task may send; messages are sent one after
/// the other.
///
/// Close the connection with ``close(code:reason:)``. Dropping the last reference closes it with code 1001, and so does
/// cancelling the task that reads ``messages``.
public final class WebSocket: Sendable {
    /// A message (RFC 6455 §5.6).
    public typealias Message = URLSessionWebSocketTask.Message
    /// The code of a Close frame (RFC 6455 §7.4).
    public typealias CloseCode = URLSessionWebSocketTask.CloseCode

    let connection: WebSocketConnection

    init(_ connection: WebSocketConnection) { self.connection = connection }

    deinit { connection.leave() }

    /// The application protocol that the server chose (RFC 6455 §1.9), if any.
    public var `protocol`: String? { connection.agreement.protocol }

    /// The extensions in use, as `Sec-WebSocket-Extensions` named them; `nil` for none.
    public var extensions: String? { connection.agreement.extensions }

    /// The head of the server's answer to the handshake.
    public var response: HTTPURLResponse { connection.agreement.response }

    /// The code that the server closed the connection with; ``CloseCode/noStatusReceived`` for a Close frame without
    /// one, ``CloseCode/abnormalClosure`` for a connection that was lost. `nil` while the connection is open.
    public var closeCode: CloseCode? { connection.closeCode }

    /// The reason that the server gave with the code.
    public var closeReason: String? { connection.closeReason }

    // MARK: Sending

    /// Sends a message. Returns when the connection has accepted it.
    ///
    /// A send that is cancelled before its first byte is written leaves the connection as it was. One that is cancelled
    /// later ends the connection: the rest of the frame can no longer be sent.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - compressed: Whether to compress it where compression was negotiated; by default as the configuration's
    ///     ``Compression/minimumLength`` says.
    /// - Throws: ``WebSocketError``, or `CancellationError` when the task is cancelled before anything was sent.
    public func send(_ message: Message, compressed: Bool? = nil) async throws {
        switch message {
        case .string(let text): try await connection.send(.text, Data(text.utf8), compressed)
        case .data(let data): try await connection.send(.binary, data, compressed)
        }
    }

    /// Sends a text; see ``send(_:compressed:)-(Message,_)``.
    public func send(_ text: String, compressed: Bool? = nil) async throws {
        try await connection.send(.text, Data(text.utf8), compressed)
    }

    /// Sends a binary message; see ``send(_:compressed:)-(Message,_)``.
    public func send(_ data: Data, compressed: Bool? = nil) async throws {
        try await connection.send(.binary, data, compressed)
    }

    /// Sends one text in pieces, each as soon as it is there. Other messages wait until it is complete.
    ///
    /// - Parameters:
    ///   - pieces: The pieces, in order. When it throws, or the task is cancelled, the connection is closed with
    ///     ``CloseCode/goingAway``: a message cannot be taken back.
    ///   - compressed: Whether to compress the message where compression was negotiated; `true` by default.
    /// - Throws: ``WebSocketError``, or the error of `pieces`.
    public func send<Pieces: AsyncSequence & Sendable>(
        textPieces pieces: Pieces,
        compressed: Bool = true
    ) async throws where Pieces.Element == String {
        try await connection.send(.text, pieces, compressed) { Data($0.utf8) }
    }

    /// Sends one binary message in pieces, each as soon as it is there. Other messages wait until it is complete.
    ///
    /// - Parameters:
    ///   - pieces: The pieces, in order. When it throws, or the task is cancelled, the connection is closed with
    ///     ``CloseCode/goingAway``: a message cannot be taken back.
    ///   - compressed: Whether to compress the message where compression was negotiated; `true` by default.
    /// - Throws: ``WebSocketError``, or the error of `pieces`.
    public func send<Pieces: AsyncSequence & Sendable>(
        dataPieces pieces: Pieces,
        compressed: Bool = true
    ) async throws where Pieces.Element == Data {
        try await connection.send(.binary, pieces, compressed) { $0 }
    }

    // MARK: Pings and the end

    /// Sends a ping and waits for its pong (RFC 6455 §5.5.2).
    ///
    /// While nobody reads messages, those that arrive before the pong are kept, up to the configuration's
    /// ``Configuration/maximumBufferedSize``; beyond, the pong has to wait for a reader.
    ///
    /// - Returns: The time between ping and pong.
    /// - Throws: ``WebSocketError``, or `CancellationError`.
    public func ping() async throws -> Duration { try await connection.ping() }

    /// Closes the connection (RFC 6455 §7.1.2): sends a Close frame and waits for the server's, for the configuration's
    /// ``Configuration/closeTimeout`` at most. Messages that have not been read are discarded.
    ///
    /// Does nothing to a connection that has ended. The closing handshake goes on when the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - code: The code. One that must not be sent (RFC 6455 §7.4.1) is replaced by ``CloseCode/normalClosure``.
    ///   - reason: The reason. Its UTF-8 is cut to 123 bytes, at a character.
    public func close(code: CloseCode = .normalClosure, reason: String? = nil) async {
        await connection.close(CloseStatus(sending: code, reason: reason))
    }
}
