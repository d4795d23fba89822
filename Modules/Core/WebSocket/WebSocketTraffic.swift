public import AirframeTransport
public import Foundation

/// A message or control frame of a WebSocket, as event monitors see it.
public struct WebSocketTraffic: Sendable {
    /// The direction.
    public enum Direction: String, Sendable, Hashable {
        /// Sent by the client.
        case sent
        /// Received from the server.
        case received
    }

    /// The kind of a message or control frame (RFC 6455 §5.5, §5.6).
    public enum Kind: Sendable, Hashable {
        /// A text message.
        case text
        /// A binary message.
        case binary
        /// A ping.
        case ping
        /// A pong.
        case pong
        /// A Close frame and its code, if it had one.
        case close(URLSessionWebSocketTask.CloseCode?)
    }

    /// The direction.
    public let direction: Direction
    /// The kind.
    public let kind: Kind
    /// The length of the content, in bytes, before compression.
    public let length: Int
    /// The content; `nil` for a message that was sent or received in fragments and is not held as a whole.
    public let content: Data?
    /// The instant on the transport's clock.
    public let instant: MonotonicInstant

    package init(
        _ direction: Direction,
        _ kind: Kind,
        length: Int,
        content: Data?,
        instant: MonotonicInstant
    ) {
        self.direction = direction
        self.kind = kind
        self.length = length
        self.content = content
        self.instant = instant
    }
}

extension WebSocketTraffic: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Direction, kind and length. The content may be secret.
    public var description: String {
        switch kind {
        case .close(let code?): "\(direction.rawValue) close \(code)"
        case .close(nil): "\(direction.rawValue) close without a code"
        default: "\(direction.rawValue) \(kind) of \(length) bytes"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that a dump does not show the content.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
