package import AirframeTransport

/// How long a request's content is, as its head announces it.
///
/// HTTP/1.1 says it with `Content-Length`, or frames the content in chunks (RFC 9112 §6); HTTP/2 with `content-length`
/// or not at all (RFC 9113 §8.1.1).
package enum RequestContentLength: Sendable, Hashable {
    /// There is no content. `POST`, `PUT` and `PATCH` say so with `Content-Length: 0` (RFC 9110 §8.6).
    case none
    /// This many bytes, which may be 0.
    case length(Int64)
    /// The length is not known, or trailer fields follow the content.
    case unknown

    /// Returns what the head announces for `body`.
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
