internal import AirframeTransport

/// Why a stream cannot go on.
enum StreamFailure: Error {
    /// The connection broke. The exchange knows which phase it was in and phrases the error.
    ///
    /// - Parameters:
    ///   - code: The system's error.
    ///   - words: OpenSSL's words, where the failure was TLS's.
    case lost(code: Int32, words: String?)
    /// The error, complete.
    case failed(TransportError)
}

/// How a request may be sent again after its stream has failed.
struct Repetition {
    /// Which requests may be.
    enum Permission {
        /// All: the server has not processed the request (`REFUSED_STREAM`, a stream beyond a GOAWAY's last one, no
        /// byte sent).
        case always
        /// Those that are safe to repeat (RFC 9110 §9.2.2): the server cannot be shown to have processed it.
        case ifIdempotent
        /// All, over HTTP/1.1 (`HTTP_1_1_REQUIRED`, RFC 9113 §7).
        case overHTTP1
    }

    let permission: Permission
    /// Why, in words that follow "because": "the kept connection was closed before a response came".
    let reason: String
}
