package import AirframeTransport

/// How a request's content will be framed (RFC 9112 §6).
package enum HTTP1RequestContent: Sendable, Hashable {
    /// There is none. `POST`, `PUT` and `PATCH` say so with `Content-Length: 0` (RFC 9110 §8.6).
    case none
    /// This many bytes, which may be 0.
    case length(Int64)
    /// In chunks: the length is not known, or trailer fields follow.
    case chunked

    /// How `body` is framed.
    package init(_ body: RequestBody) {
        if body.trailers != nil {
            self = .chunked
        } else if body.isNone {
            self = .none
        } else if let length = body.length {
            self = .length(length)
        } else {
            self = .chunked
        }
    }
}
