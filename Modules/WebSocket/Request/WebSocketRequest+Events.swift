public import AirframeCore
public import Dispatch
public import Foundation

extension WebSocketRequest {
    /// An event of a WebSocket, with the means to act on it.
    public struct Event<Success: Sendable, Failure: Error>: Sendable {
        /// The kinds of events.
        public enum Kind: Sendable {
            /// The connection was opened, with the protocol that the server chose.
            case connected(protocol: String?)
            /// A message arrived.
            case receivedMessage(Success)
            /// A message could not be converted.
            case serializerFailed(Failure)
            /// The connection was closed.
            case disconnected(closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
            /// The request ended.
            case completed(Completion)
        }

        /// The event.
        public let kind: Kind
        private weak let socket: WebSocketRequest?

        init(_ socket: WebSocketRequest?, _ kind: Kind) {
            self.socket = socket
            self.kind = kind
        }

        /// The message; `nil` for other events.
        public var message: Success? {
            guard case .receivedMessage(let message) = kind else { return nil }
            return message
        }

        /// Closes the connection; see ``WebSocketRequest/close(sending:reason:)``.
        public func close(sending closeCode: URLSessionWebSocketTask.CloseCode, reason: Data? = nil) {
            socket?.close(sending: closeCode, reason: reason)
        }

        /// Cancels the request.
        public func cancel() { socket?.cancel() }

        /// Sends a ping; see ``WebSocketRequest/sendPing(respondingOn:onResponse:)``.
        public func sendPing(
            respondingOn queue: DispatchQueue = .main,
            onResponse: @escaping @Sendable (PingResponse) -> Void
        ) {
            guard let socket else {
                queue.async { onResponse(.unsent) }
                return
            }
            socket.sendPing(respondingOn: queue, onResponse: onResponse)
        }
    }

    /// The response to a ping.
    public enum PingResponse: Sendable {
        /// A pong.
        public struct Pong: Sendable {
            /// The time between ping and pong, in seconds.
            public let latency: TimeInterval
        }

        /// The server responded.
        case pong(Pong)
        /// The connection failed before a response.
        case error(any Error)
        /// The connection is not open, so nothing was sent.
        case unsent
    }
}
