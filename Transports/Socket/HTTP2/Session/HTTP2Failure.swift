package import AirframeTransport

/// Why a stream, or all streams of a session, ended without a whole response.
package struct HTTP2Failure: Error, Sendable, Equatable {
    /// What failed.
    package let code: TransportError.Code
    /// What happened, with the section of the RFC that it breaks.
    package let message: String
    /// Whether the server guarantees that it has not processed the request (RFC 9113 §8.7).
    package var isUnprocessed = false
    /// Whether the server wants the request over HTTP/1.1 (RFC 9113 §7, HTTP_1_1_REQUIRED).
    package var requiresHTTP1 = false
    /// Whether the connection ended without a word about the stream.
    var isConnectionLoss = false
    /// The error code that the other side is told.
    package var wireCode = HTTP2ErrorCode.protocolError

    /// Describes a failure.
    package init(_ code: TransportError.Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A message or frame that breaks a rule.
    ///
    /// - Parameter rule: The section, such as `RFC 9113 §8.1`.
    static func violation(
        _ message: String,
        _ rule: String,
        wireCode: HTTP2ErrorCode = .protocolError
    ) -> HTTP2Failure {
        var failure = HTTP2Failure(.malformedResponse, "\(message) (\(rule))")
        failure.wireCode = wireCode
        return failure
    }

    /// A field section above its limit.
    static func tooLarge(_ message: String) -> HTTP2Failure {
        var failure = HTTP2Failure(.headTooLarge, "\(message) (RFC 9113 §10.5.1)")
        failure.wireCode = .enhanceYourCalm
        return failure
    }

    /// Frames that cost more than they bring.
    static func flood(_ message: String) -> HTTP2Failure {
        violation(message, "RFC 9113 §10.5", wireCode: .enhanceYourCalm)
    }

    /// The server ended the stream with RST_STREAM.
    static func reset(_ code: HTTP2ErrorCode) -> HTTP2Failure {
        var failure = HTTP2Failure(.connectionLost, "the server reset the stream: \(code) (RFC 9113 §6.4)")
        failure.isUnprocessed = code == .refusedStream || code == .http11Required
        failure.requiresHTTP1 = code == .http11Required
        failure.wireCode = code
        return failure
    }

    /// The server ended the connection with GOAWAY, which excludes the stream.
    static func excluded(by code: HTTP2ErrorCode) -> HTTP2Failure {
        var failure = HTTP2Failure(
            .connectionLost, "the server sent GOAWAY (\(code)) before it processed the request (RFC 9113 §6.8)")
        failure.isUnprocessed = true
        failure.requiresHTTP1 = code == .http11Required
        failure.wireCode = code
        return failure
    }
}
