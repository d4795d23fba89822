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
/// Messages are pulled: a slow reader slows the server down, and nothing is read from the connection unless a task
/// reads, pings or closes. Sending returns when the connection has accepted the data. Any task may send; messages are
/// sent one after the other.
///
/// Close the connection with ``close(code:reason:)``. Releasing the last reference closes it with code 1001, and so
/// does cancelling the task that reads ``messages``.
public final class WebSocket: Sendable {
    /// A message (RFC 6455 §5.6).
    public typealias Message = URLSessionWebSocketTask.Message
    /// The code of a Close frame (RFC 6455 §7.4).
    public typealias CloseCode = URLSessionWebSocketTask.CloseCode

    let connection: WebSocketConnection

    init(_ connection: WebSocketConnection) { self.connection = connection }

    deinit { connection.leave() }

    /// The subprotocol that the server chose (RFC 6455 §1.9); `nil` for none.
    public var `protocol`: String? { connection.agreement.protocol }

    /// The negotiated extensions, in the form of `Sec-WebSocket-Extensions`; `nil` for none.
    public var extensions: String? { connection.agreement.extensions }

    /// The head of the server's response to the handshake.
    public var response: HTTPURLResponse { connection.agreement.response }

    /// The code with which the server closed the connection; ``CloseCode/noStatusReceived`` for a Close frame without
    /// a code, ``CloseCode/abnormalClosure`` for a lost connection. `nil` while the connection is open.
    public var closeCode: CloseCode? { connection.closeCode }

    /// The reason in the server's Close frame.
    public var closeReason: String? { connection.closeReason }

    // MARK: Sending

    /// Sends a message. Returns when the connection has accepted it.
    ///
    /// A send that is cancelled while it waits for earlier sends has no effect, unless it is compressed. One that is
    /// cancelled while the connection accepts its bytes ends the connection, because part of the frame may have been
    /// sent.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - compressed: Whether to compress the message if compression was negotiated; by default the configuration's
    ///     ``Compression/minimumLength`` decides.
    /// - Throws: ``WebSocketError``, or `CancellationError` if the task is cancelled before anything was sent.
    public func send(_ message: Message, compressed: Bool? = nil) async throws {
        switch message {
        case .string(let text): try await connection.send(text, compressed)
        case .data(let data): try await connection.send(data, compressed)
        }
    }

    /// Sends a text message; see ``send(_:compressed:)-(Message,_)``.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - compressed: Whether to compress the message if compression was negotiated; by default the configuration's
    ///     ``Compression/minimumLength`` decides.
    /// - Throws: ``WebSocketError``, or `CancellationError` if the task is cancelled before anything was sent.
    public func send(_ text: String, compressed: Bool? = nil) async throws {
        try await connection.send(text, compressed)
    }

    /// Sends a binary message; see ``send(_:compressed:)-(Message,_)``.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - compressed: Whether to compress the message if compression was negotiated; by default the configuration's
    ///     ``Compression/minimumLength`` decides.
    /// - Throws: ``WebSocketError``, or `CancellationError` if the task is cancelled before anything was sent.
    public func send(_ data: Data, compressed: Bool? = nil) async throws {
        try await connection.send(data, compressed)
    }

    /// Sends one text in pieces, each as soon as it is available. Other messages wait until it is complete.
    ///
    /// - Parameters:
    ///   - pieces: The pieces, in order. If the sequence throws or the task is cancelled, the connection is closed
    ///     with ``CloseCode/goingAway``, because a partial message cannot be withdrawn.
    ///   - compressed: Whether to compress the message if compression was negotiated; `true` by default.
    /// - Throws: ``WebSocketError``, or the error of `pieces`.
    public func send<Pieces: AsyncSequence & Sendable>(
        textPieces pieces: Pieces,
        compressed: Bool = true
    ) async throws where Pieces.Element == String {
        try await connection.send(.text, pieces, compressed) { Data($0.utf8) }
    }

    /// Sends one binary message in pieces, each as soon as it is available. Other messages wait until it is complete.
    ///
    /// - Parameters:
    ///   - pieces: The pieces, in order. If the sequence throws or the task is cancelled, the connection is closed
    ///     with ``CloseCode/goingAway``, because a partial message cannot be withdrawn.
    ///   - compressed: Whether to compress the message if compression was negotiated; `true` by default.
    /// - Throws: ``WebSocketError``, or the error of `pieces`.
    public func send<Pieces: AsyncSequence & Sendable>(
        dataPieces pieces: Pieces,
        compressed: Bool = true
    ) async throws where Pieces.Element == Data {
        try await connection.send(.binary, pieces, compressed) { $0 }
    }

    // MARK: Pings and closing

    /// Sends a ping and waits for its pong (RFC 6455 §5.5.2).
    ///
    /// If no task reads messages, those that arrive before the pong are buffered, up to the configuration's
    /// ``Configuration/maximumBufferedSize``. Beyond that, the pong waits for a reader.
    ///
    /// - Returns: The time between ping and pong.
    /// - Throws: ``WebSocketError``, or `CancellationError`.
    public func ping() async throws -> Duration { try await connection.ping() }

    /// Closes the connection (RFC 6455 §7.1.2): sends a Close frame and waits for the server's, for at most the
    /// configuration's ``Configuration/closeTimeout``. Unread messages are discarded.
    ///
    /// A connection that has ended is left unchanged. Cancelling the calling task does not interrupt the closing
    /// handshake.
    ///
    /// - Parameters:
    ///   - code: The code. A code that must not be sent (RFC 6455 §7.4.1) is replaced by ``CloseCode/normalClosure``.
    ///   - reason: The reason. Its UTF-8 is truncated to 123 bytes, at a character boundary.
    public func close(code: CloseCode = .normalClosure, reason: String? = nil) async {
        await connection.close(CloseStatus(sending: code, reason: reason))
    }
}
