public import AirframeCore
public import AirframeTransport
internal import AirframeWebSocketProtocol
public import Foundation

/// An error of a WebSocket that could not be opened, or did not end with an orderly close.
///
/// The ``description`` is a sentence for an operator, with the server, the rule and its section.
public struct WebSocketError: Error, Sendable {
    /// The kinds of errors. An open set: more may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The server did not accept the handshake, or responded incorrectly (RFC 6455 §4.1).
        public static let handshakeFailed = Code(rawValue: "handshakeFailed")
        /// The server violated the protocol.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// A message or frame was larger than the configuration allows.
        public static let messageTooBig = Code(rawValue: "messageTooBig")
        /// The connection was lost without a Close frame.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The server closed the connection with a code other than 1000 and 1001.
        public static let closed = Code(rawValue: "closed")
        /// The connection was closed at this end.
        public static let closedLocally = Code(rawValue: "closedLocally")
        /// There was no pong in time.
        public static let keepAliveTimedOut = Code(rawValue: "keepAliveTimedOut")
        /// A message could not be decoded as the requested type.
        public static let decodingFailed = Code(rawValue: "decodingFailed")
        /// The attempts to reconnect are exhausted.
        public static let reconnectionFailed = Code(rawValue: "reconnectionFailed")
    }

    /// The kind of error.
    public let code: Code
    /// The code of the received Close frame, or of the one that answered a violation.
    public let closeCode: URLSessionWebSocketTask.CloseCode?
    /// The status of the server's response, if it declined the handshake.
    public let statusCode: Int?
    /// A message that says what happened.
    public let message: String
    /// The server.
    public let origin: Origin?
    /// The underlying error.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - closeCode: The code of the Close frame.
    ///   - statusCode: The status of the server's response.
    ///   - message: The message, without a full stop.
    ///   - origin: The server.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code,
        closeCode: URLSessionWebSocketTask.CloseCode? = nil,
        statusCode: Int? = nil,
        message: String,
        origin: Origin? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.closeCode = closeCode
        self.statusCode = statusCode
        self.message = RedactionPolicy.standard.sentence(message)
        self.origin = origin
        self.underlying = underlying
    }

    init(_ violation: ProtocolViolation, _ origin: Origin?) {
        self.init(
            violation.closeCode == 1009 ? .messageTooBig : .protocolViolation,
            closeCode: .init(violation.closeCode),
            message: violation.description,
            origin: origin
        )
    }

    static func lost(_ message: String, _ origin: Origin?, _ underlying: (any Error)? = nil) -> WebSocketError {
        WebSocketError(
            .connectionLost, closeCode: .abnormalClosure, message: message, origin: origin, underlying: underlying)
    }
}

extension WebSocketError: CustomStringConvertible, LocalizedError {
    /// The server and the message.
    public var description: String {
        let place = origin.map { " with \($0.host.contains(":") ? "[\($0.host)]" : $0.host):\($0.port)" } ?? ""
        let cause = underlying.map { ": \($0)" } ?? ""
        return "WebSocket\(place) failed: \(message)\(cause)"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
