public import Foundation

extension ClosureEventMonitor {
    /// Calls ``webSocketTaskDidOpenWithProtocol``.
    public func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        webSocketTaskDidOpenWithProtocol?(session, webSocketTask, `protocol`)
    }

    /// Calls ``webSocketTaskDidCloseWithCodeAndReason``.
    public func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        webSocketTaskDidCloseWithCodeAndReason?(session, webSocketTask, closeCode, reason)
    }

    /// Calls ``requestDidTransferTraffic``.
    public func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
        requestDidTransferTraffic?(request, traffic)
    }
}
