package import AirframeTransport
package import HTTPTypes

/// A request head in HTTP/2 (RFC 9113 §8.3.1).
package struct HTTP2RequestHead: Sendable {
    /// Method, scheme, authority, path and fields. With the method `CONNECT`, the authority is the target's.
    package var request: HTTPRequest
    /// Fields that follow the request's own.
    package var additionalFields = HTTPFields()
    /// The value of `content-length`; `nil` for none.
    package var contentLength: Int64?
    /// Whether content or trailers follow. Otherwise the head ends the request.
    package var hasContent: Bool
    /// The protocol of an extended CONNECT (RFC 8441).
    package var protocolName: String?
    /// Whether the request is a CONNECT or extended CONNECT (RFC 9113 §8.5, RFC 8441).
    package var isHandshake = false
    /// Whether the request expects `100 (Continue)` before the content (RFC 9110 §10.1.1).
    var expectsContinue = false
    /// The object that ``request`` was taken from, if the field section depends on nothing else.
    package var shared: SharedRequestHead?

    /// The length of the content. A handshake has none.
    var content: RequestContentLength {
        guard hasContent, !isHandshake else { return contentLength == nil ? .none : .length(0) }
        return contentLength.map(RequestContentLength.length) ?? .unknown
    }

    /// Creates a head.
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
