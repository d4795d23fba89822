internal import AirframeTransport

/// The failure of a stream.
enum StreamFailure: Error {
    /// The connection broke. The exchange adds the phase and the message.
    ///
    /// - Parameters:
    ///   - code: The system's error code.
    ///   - words: OpenSSL's message, if TLS failed.
    case lost(code: Int32, words: String?)
    /// A complete error.
    case failed(TransportError)
}

/// How a request may be sent again after its stream has failed.
struct Repetition {
    /// The requests that may be sent again.
    enum Permission {
        /// Any request: the server has not processed it (`REFUSED_STREAM`, a stream above a GOAWAY's last one, no byte
        /// sent).
        case always
        /// Idempotent requests (RFC 9110 §9.2.2): the server may have processed the request.
        case ifIdempotent
        /// Any request, over HTTP/1.1 (`HTTP_1_1_REQUIRED`, RFC 9113 §7).
        case overHTTP1
    }

    let permission: Permission
    /// The reason as a clause: "the kept connection was closed before a response came".
    let reason: String
}
