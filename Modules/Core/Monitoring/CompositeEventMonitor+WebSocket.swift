public import Foundation

// MARK: WebSockets

extension CompositeEventMonitor {
    /// Whether a monitor wants messages. Otherwise they need not be described.
    package var wantsMessages: Bool { wants(.messages) }

    /// A WebSocket was opened, with the application protocol that the server chose.
    public func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, webSocketTask: webSocketTask, didOpenWithProtocol: `protocol`) }
    }

    /// A WebSocket was closed by a Close frame.
    public func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        guard wants(.tasks) else { return }
        notify(.tasks) { $0.urlSession(session, webSocketTask: webSocketTask, didCloseWith: closeCode, reason: reason) }
    }

    /// A message or control frame was sent or received on a WebSocket.
    public func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
        guard wants(.messages) else { return }
        notify(.messages) { $0.request(request, didTransfer: traffic) }
    }
}
