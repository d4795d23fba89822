internal import AirframeTransport
public import Foundation
internal import Synchronization

/// An attempt to open a WebSocket, and its connection.
///
/// `@unchecked Sendable` because URLSessionTask is: the properties added here are immutable or behind their own lock.
public final class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    /// A message, as sent or received (RFC 6455 §5.6).
    public enum Message: Sendable, Hashable {
        /// A binary message.
        case data(Data)
        /// A text message.
        case string(String)
    }

    private struct Ending {
        var code = CloseCode.invalid
        var reason: Data?
    }

    /// The maximum number of bytes of a received message.
    public let maximumMessageSize: Int
    // Guards the code and the reason of the close.
    private let ending = Mutex(Ending())

    init(request: Request, original: URLRequest, maximumMessageSize: Int) {
        self.maximumMessageSize = maximumMessageSize
        super.init(request: request, original: original)
    }

    /// The code that the connection was closed with; ``CloseCode/invalid`` while it is open.
    public var closeCode: CloseCode { ending.withLock { $0.code } }

    /// The reason that the connection was closed with, if one was given.
    public var closeReason: Data? { ending.withLock { $0.reason } }

    /// Records the closing handshake.
    package func noteClosed(with code: CloseCode, reason: Data?) {
        ending.withLock { $0 = Ending(code: code, reason: reason) }
    }
}

extension URLSessionWebSocketTask {
    /// The code of a Close frame (RFC 6455 §7.4).
    ///
    /// Applications define codes of their own from 4000 to 4999: `CloseCode(rawValue: 4001)`.
    public struct CloseCode: RawRepresentable, Sendable, Hashable {
        /// The code.
        public let rawValue: Int

        /// Creates a code. Returns `nil` for a number that does not fit into the two bytes of a Close frame.
        public init?(rawValue: Int) {
            guard (0...0xFFFF).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }

        /// Creates a code from the two bytes of a Close frame.
        package init(_ code: UInt16) { rawValue = Int(code) }

        /// No code: the connection is open, or was never opened.
        public static let invalid = CloseCode(0)
        /// The purpose of the connection is fulfilled.
        public static let normalClosure = CloseCode(1000)
        /// The endpoint goes away, for example because a server shuts down.
        public static let goingAway = CloseCode(1001)
        /// The peer violated the protocol.
        public static let protocolError = CloseCode(1002)
        /// The endpoint does not accept messages of this kind.
        public static let unsupportedData = CloseCode(1003)
        /// The Close frame had no code. Never sent.
        public static let noStatusReceived = CloseCode(1005)
        /// The connection ended without a Close frame. Never sent.
        public static let abnormalClosure = CloseCode(1006)
        /// The content of a message was invalid for its kind.
        public static let invalidFramePayloadData = CloseCode(1007)
        /// A message violated a policy of the endpoint.
        public static let policyViolation = CloseCode(1008)
        /// A message was too big.
        public static let messageTooBig = CloseCode(1009)
        /// The server did not negotiate an extension that the client needs.
        public static let mandatoryExtensionMissing = CloseCode(1010)
        /// The server failed.
        public static let internalServerError = CloseCode(1011)
        /// The TLS handshake failed. Never sent.
        public static let tlsHandshakeFailure = CloseCode(1015)
    }
}

extension URLSessionWebSocketTask.CloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { String(rawValue) }
}

extension URLSessionWebSocketTask.Message: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind and the length. The content may be secret.
    public var description: String {
        switch self {
        case .data(let data): "binary message of \(data.count) bytes"
        case .string(let text): "text of \(text.utf8.count) bytes"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that a dump does not show the content.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
