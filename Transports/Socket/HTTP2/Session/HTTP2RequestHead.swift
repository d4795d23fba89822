package import HTTPTypes

/// A request's head as HTTP/2 expresses it (RFC 9113 §8.3.1).
package struct HTTP2RequestHead: Sendable {
    /// Method, scheme, authority, path and fields. With the method `CONNECT`, the authority is the target's.
    package var request: HTTPRequest
    /// Fields that come after its own.
    package var additionalFields = HTTPFields()
    /// The value of `content-length`; `nil` for none.
    package var contentLength: Int64?
    /// Whether content or trailers follow. If not, the head ends the request.
    package var hasContent: Bool
    /// The protocol of an extended CONNECT (RFC 8441).
    package var protocolName: String?
    /// Whether the request asks for a stream of bytes (RFC 9113 §8.5).
    package var isHandshake = false
    /// Whether the server is asked for `100 (Continue)` before the content (RFC 9110 §10.1.1).
    var expectsContinue = false

    /// Describes a head.
    package init(
        _ request: HTTPRequest,
        contentLength: Int64? = nil,
        hasContent: Bool = false,
        protocolName: String? = nil
    ) {
        self.request = request
        self.contentLength = contentLength
        self.hasContent = hasContent
        self.protocolName = protocolName
        isHandshake = protocolName != nil
    }
}
