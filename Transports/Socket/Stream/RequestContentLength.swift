package import AirframeTransport

/// The length of a request's content, as its head declares it.
///
/// HTTP/1.1 sends `Content-Length`, or frames the content in chunks (RFC 9112 §6); HTTP/2 sends `content-length` or
/// nothing (RFC 9113 §8.1.1).
package enum RequestContentLength: Sendable, Hashable {
    /// There is no content. `POST`, `PUT` and `PATCH` send `Content-Length: 0` (RFC 9110 §8.6).
    case none
    /// This many bytes, which may be 0.
    case length(Int64)
    /// The length is not known, or trailer fields follow the content.
    case unknown

    /// Creates the length that the head declares for `body`.
    package init(_ body: RequestBody) {
        if body.trailers != nil {
            self = .unknown
        } else if body.isNone {
            self = .none
        } else if let length = body.length {
            self = .length(length)
        } else {
            self = .unknown
        }
    }
}
