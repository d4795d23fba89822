package import AirframeTransport

/// The failure of a stream or of all streams of a session.
package struct HTTP2Failure: Error, Sendable, Equatable {
    /// The code of the transport error.
    package let code: TransportError.Code
    /// The message, with the RFC section that was violated.
    package let message: String
    /// Whether the server has certainly not processed the request: it says so (RFC 9113 §8.7), or nothing was sent.
    package var isUnprocessed = false
    /// Whether the server requires the request over HTTP/1.1 (RFC 9113 §7, HTTP_1_1_REQUIRED).
    package var requiresHTTP1 = false
    /// Whether the connection ended without RST_STREAM or GOAWAY.
    var isConnectionLoss = false
    /// Whether the server ended the stream or the connection without naming an error.
    var isEnd = false
    /// The phase of the error; `nil` for that of the stream.
    var phase: TransportPhase?
    /// The message of the library beneath.
    var libraryMessage: String?
    /// The error code that is sent to the peer.
    package var wireCode = HTTP2ErrorCode.protocolError

    /// The same failure for a request of which no byte was framed.
    var ofUnsentRequest: HTTP2Failure {
        var failure = self
        failure.isUnprocessed = true
        return failure
    }

    /// The same failure for a stream that has received `count` bytes of content. An end before END_STREAM truncates the
    /// content, as the end of an HTTP/1.1 connection does.
    func ofContent(after count: Int64) -> HTTP2Failure {
        guard isEnd else { return self }
        var failure = HTTP2Failure(
            .bodyTruncated, "the content ended after \(count) bytes, before END_STREAM: \(message)")
        failure.wireCode = wireCode
        return failure
    }

    /// Creates a failure.
    package init(_ code: TransportError.Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Returns the failure for a connection that has ended or broken.
    ///
    /// - Parameters:
    ///   - words: How it ended.
    ///   - code: The code of the server's GOAWAY, if it has sent one.
    static func lost(_ words: String, after code: HTTP2ErrorCode?) -> HTTP2Failure {
        var message = words
        if let code, code != .noError { message += ", after GOAWAY with \(code) (RFC 9113 §6.8)" }
        var failure = HTTP2Failure(.connectionLost, message)
        failure.isConnectionLoss = true
        return failure
    }

    /// Returns the failure for a server that refuses the client's certificate or requires one: in TLS 1.3 it does so
    /// after the client has finished its handshake, and before it reads a request.
    ///
    /// - Parameter words: OpenSSL's message.
    static func identityRefused(_ words: String) -> HTTP2Failure {
        var failure = HTTP2Failure(
            .clientIdentityRefused, "the server requires a client certificate that it trusts")
        failure.isUnprocessed = true
        failure.phase = .tls
        failure.libraryMessage = "OpenSSL: \(words)"
        return failure
    }

    /// Returns the failure for a message or frame that violates a rule.
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

    /// Returns the failure for a field section above its limit.
    static func tooLarge(_ message: String) -> HTTP2Failure {
        var failure = HTTP2Failure(.headTooLarge, "\(message) (RFC 9113 §10.5.1)")
        failure.wireCode = .enhanceYourCalm
        return failure
    }

    /// Returns the failure for a flood of frames that make no progress.
    static func flood(_ message: String) -> HTTP2Failure {
        violation(message, "RFC 9113 §10.5", wireCode: .enhanceYourCalm)
    }

    /// Returns the failure for a stream that the server ended with RST_STREAM.
    static func reset(_ code: HTTP2ErrorCode) -> HTTP2Failure {
        var failure = HTTP2Failure(.connectionLost, "the server reset the stream: \(code) (RFC 9113 §6.4)")
        failure.isUnprocessed = code == .refusedStream || code == .http11Required
        failure.requiresHTTP1 = code == .http11Required
        failure.isEnd = code == .noError
        failure.wireCode = code
        return failure
    }

    /// Returns the failure for a stream that libnghttp2 has reset with `code`, because the server violates a rule that
    /// concerns that stream alone (RFC 9113 §5.4.2).
    static func streamViolation(_ code: HTTP2ErrorCode) -> HTTP2Failure {
        if code == .flowControlError {
            violation("the server violated the flow control of the stream", "RFC 9113 §6.9.1", wireCode: code)
        } else {
            violation("the server violated the protocol on the stream: \(code)", "RFC 9113 §5.4.2", wireCode: code)
        }
    }

    /// Returns the failure for a stream above the last one of the server's GOAWAY.
    static func excluded(by code: HTTP2ErrorCode) -> HTTP2Failure {
        var failure = HTTP2Failure(
            .connectionLost, "the server sent GOAWAY (\(code)) before it processed the request (RFC 9113 §6.8)")
        failure.isUnprocessed = true
        failure.requiresHTTP1 = code == .http11Required
        failure.wireCode = code
        return failure
    }
}
