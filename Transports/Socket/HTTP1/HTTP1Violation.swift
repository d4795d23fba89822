internal import AirframeTransport

/// What is wrong with a message, before it is known whose it is.
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
