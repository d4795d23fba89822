public import Foundation

extension WebSocketRequest {
    /// The protocol to ask for, and the limits of the connection.
    public struct Configuration: Sendable {
        /// No protocol, messages of 1 MiB at most, no pings.
        public static var `default`: Self { Self() }

        /// Asks for an application protocol.
        ///
        /// - Parameter protocol: The protocol's name, for `Sec-WebSocket-Protocol` (RFC 6455 §1.9).
        public static func `protocol`(_ protocol: String) -> Self { Self(protocol: `protocol`) }

        /// Limits messages from the server.
        ///
        /// - Parameter maximumMessageSize: The largest message, in bytes.
        public static func maximumMessageSize(_ maximumMessageSize: Int) -> Self {
            Self(maximumMessageSize: maximumMessageSize)
        }

        /// Pings the server.
        ///
        /// - Parameter pingInterval: The time between two pings, in seconds.
        public static func pingInterval(_ pingInterval: TimeInterval) -> Self { Self(pingInterval: pingInterval) }

        /// The application protocol to ask for.
        public let `protocol`: String?
        /// The largest message that is received, in bytes.
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

    /// How a request ended.
    public struct Completion: Sendable {
        /// The last request.
        public let request: URLRequest?
        /// The head of the last response.
        public let response: HTTPURLResponse?
        /// The metrics of the last attempt.
        public let metrics: URLSessionTaskMetrics?
        /// Why it failed, if it did.
        public let error: AFError?
    }
}
