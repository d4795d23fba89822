public import AirframeCore
public import Dispatch
public import Foundation

extension WebSocketRequest {
    var conversation: WebSocketConversation? { dialogue as? WebSocketConversation }

    /// Closes the connection with a code and a reason, and cancels the request. The request ends with its connection,
    /// without an error. A request without a connection is cancelled by ``Request/cancel()``.
    ///
    /// - Parameters:
    ///   - closeCode: The code. A code that must not be sent (RFC 6455 §7.4.1) is replaced by
    ///     ``URLSessionWebSocketTask/CloseCode/normalClosure``.
    ///   - reason: The reason in UTF-8, truncated to 123 bytes.
    @discardableResult
    public func close(sending closeCode: URLSessionWebSocketTask.CloseCode, reason: Data? = nil) -> Self {
        guard let connection = conversation?.connectionIfOpen else { return cancel() }
        let text = reason.map { String(decoding: $0, as: UTF8.self) }
        cancelWhileClosing()
        Task { await connection.close(.init(sending: closeCode, reason: text)) }
        return self
    }

    /// Sends a ping.
    ///
    /// - Parameters:
    ///   - queue: The queue for `onResponse`.
    ///   - onResponse: Receives the time until the pong, or the error.
    public func sendPing(
        respondingOn queue: DispatchQueue = .main,
        onResponse: @escaping @Sendable (PingResponse) -> Void
    ) {
        guard let connection = conversation?.connectionIfOpen, connection.closeCode == nil else {
            queue.async { onResponse(.unsent) }
            return
        }
        Task {
            do {
                let latency = try await connection.ping() / .seconds(1)
                queue.async { onResponse(.pong(PingResponse.Pong(latency: latency))) }
            } catch {
                queue.async { onResponse(.error(error)) }
            }
        }
    }

    /// Sends a message after all earlier ones, as soon as the connection is open.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - queue: The queue for `completionHandler`.
    ///   - completionHandler: Called when the connection has accepted the message or failed.
    public func send(
        _ message: URLSessionWebSocketTask.Message,
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        conversation?.enqueue(message) { result in queue.async { completionHandler(result) } }
    }
}
