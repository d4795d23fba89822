public import Foundation

extension WebSocketRequest {
    /// The application protocol to request, and the limits of the connection.
    public struct Configuration: Sendable {
        /// No application protocol, messages of at most 1 MiB, no pings.
        public static var `default`: Self { Self() }

        /// Requests an application protocol.
        ///
        /// - Parameter protocol: The protocol's name, for `Sec-WebSocket-Protocol` (RFC 6455 §1.9).
        public static func `protocol`(_ protocol: String) -> Self { Self(protocol: `protocol`) }

        /// Limits messages from the server.
        ///
        /// - Parameter maximumMessageSize: The maximum number of bytes of a message.
        public static func maximumMessageSize(_ maximumMessageSize: Int) -> Self {
            Self(maximumMessageSize: maximumMessageSize)
        }

        /// Pings the server.
        ///
        /// - Parameter pingInterval: The time between two pings, in seconds.
        public static func pingInterval(_ pingInterval: TimeInterval) -> Self { Self(pingInterval: pingInterval) }

        /// The application protocol to request.
        public let `protocol`: String?
        /// The maximum number of bytes of a received message.
        public let maximumMessageSize: Int
        /// The time between two pings, in seconds; `nil` for no pings.
        public let pingInterval: TimeInterval?

        package init(
            `protocol`: String? = nil,
            maximumMessageSize: Int = 1 << 20,
            pingInterval: TimeInterval? = nil
        ) {
            self.protocol = `protocol`
            self.maximumMessageSize = maximumMessageSize
            self.pingInterval = pingInterval
        }
    }

    /// The end of a request.
    public struct Completion: Sendable {
        /// The last request.
        public let request: URLRequest?
        /// The head of the last response.
        public let response: HTTPURLResponse?
        /// The metrics of the last attempt.
        public let metrics: URLSessionTaskMetrics?
        /// The error, if the request failed.
        public let error: AFError?
    }
}
