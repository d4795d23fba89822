internal import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation

/// The result of the handshake.
struct WebSocketAgreement: Sendable {
    let `protocol`: String?
    let deflate: DeflateParameters?
    let extensions: String?
    let response: HTTPURLResponse
    let origin: Origin?
}

extension CloseStatus {
    /// The status of a Close frame that this end sends.
    init(sending code: URLSessionWebSocketTask.CloseCode, reason: String?) {
        guard code != .noStatusReceived else {
            self.init()
            return
        }
        let valid = UInt16(exactly: code.rawValue).flatMap { CloseStatus.isSendable($0) ? $0 : nil }
        var text = reason ?? ""
        while text.utf8.count > Self.maximumReasonLength { text.removeLast() }
        self.init(code: valid ?? 1000, reason: .init(text.utf8))
    }
}
