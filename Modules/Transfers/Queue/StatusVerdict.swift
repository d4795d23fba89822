internal import AirframeCore
internal import AirframeTransport
internal import Foundation

extension TransferError {
    /// Returns the error for a response outside 2xx.
    static func status(of response: HTTPURLResponse, _ what: String, on clock: any TransportClock) -> TransferError {
        let code = response.statusCode
        let words = HTTPURLResponse.localizedString(forStatusCode: code)
        let address = response.url.map { Redaction.url($0.absoluteString) } ?? "the server"
        let message = "\(what) failed: \(address) answered \(code) (\(words))"
        // RFC 9110 §15: statuses that may differ on the next attempt.
        let isTransient = [408, 425, 429].contains(code) || (500...599).contains(code) && code != 501 && code != 505
        return TransferError(
            isTransient ? .unavailable : code == 413 ? .tooLarge : .refused,
            message,
            retryAfter: RetryAfter(response)?.delay(on: clock)
        )
    }
}
