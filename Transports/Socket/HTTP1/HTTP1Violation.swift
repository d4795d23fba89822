internal import AirframeTransport

/// A violation of HTTP/1.1 in a message. Callers that know the server's origin turn it into a ``TransportError``.
struct HTTP1Violation: Error, Equatable {
    let code: TransportError.Code
    let message: String

    static func malformed(_ message: String) -> HTTP1Violation {
        HTTP1Violation(code: .malformedResponse, message: message)
    }

    static func tooLarge(_ message: String) -> HTTP1Violation {
        HTTP1Violation(code: .headTooLarge, message: message)
    }

    static func invalidRequest(_ message: String) -> HTTP1Violation {
        HTTP1Violation(code: .invalidRequest, message: message)
    }
}
