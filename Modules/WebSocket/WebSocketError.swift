public import AirframeCore
public import AirframeTransport
internal import AirframeWebSocketProtocol
public import Foundation

/// Why a WebSocket could not be opened, or ended otherwise than by an orderly close.
///
/// The ``description`` is a sentence for an operator: server, rule, section.
public struct WebSocketError: Error, Sendable {
    /// What failed. An open set: new codes may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The server did not agree to speak WebSocket, or answered the handshake wrongly (RFC 6455 §4.1).
        public static let handshakeFailed = Code(rawValue: "handshakeFailed")
        /// The server broke a rule of the protocol.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// A message or frame was larger than the configuration allows.
        public static let messageTooBig = Code(rawValue: "messageTooBig")
        /// The connection was lost without a Close frame.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The server closed the connection with another code than 1000 and 1001.
        public static let closed = Code(rawValue: "closed")
        /// The connection was closed at this end.
        public static let closedLocally = Code(rawValue: "closedLocally")
        /// No pong came in time.
        public static let keepAliveTimedOut = Code(rawValue: "keepAliveTimedOut")
        /// A message is not what was asked for: it cannot be decoded.
        public static let decodingFailed = Code(rawValue: "decodingFailed")
        /// The attempts to connect again were used up.
        public static let reconnectionFailed = Code(rawValue: "reconnectionFailed")
    }

    /// What failed.
    public let code: Code
    /// The code of the Close frame that was received, or that answered the violation.
    public let closeCode: URLSessionWebSocketTask.CloseCode?
    /// The status of the server's answer, where it declined the handshake.
    public let statusCode: Int?
    /// What happened, in words.
    public let message: String
    /// The server.
    public let origin: Origin?
    /// The error beneath.
    public let underlying: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What failed.
    ///   - closeCode: The code of the Close frame.
    ///   - statusCode: The status of the server's answer.
    ///   - message: What happened, in words, without a full stop.
    ///   - origin: The server.
    ///   - underlying: The error beneath.
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
    /// The server and what happened.
    public var description: String {
        let place = origin.map { " with \($0.host.contains(":") ? "[\($0.host)]" : $0.host):\($0.port)" } ?? ""
        let cause = underlying.map { ": \($0)" } ?? ""
        return "WebSocket\(place) failed: \(message)\(cause)"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
