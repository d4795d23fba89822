package import HTTPTypes

/// A request's head as HTTP/1.1 sends it: what is beside `HTTPRequest` that decides about its bytes.
package struct HTTP1RequestHead: Sendable {
    /// What the request line names (RFC 9112 §3.2).
    package enum Form: Sendable, Hashable {
        /// `/path?query`, or `*`: straight to the server, or through a tunnel.
        case origin
        /// `http://host/path?query`: to a proxy that forwards.
        case absolute
    }

    /// Method, scheme, authority, path and fields. With the method `CONNECT` the authority is the target, host and
    /// port, whatever ``form`` says.
    package var request: HTTPRequest
    /// What the request line names.
    package var form: Form
    /// How the content is framed.
    package var content: HTTP1RequestContent
    /// Whether to ask for `100 (Continue)` before the content (RFC 9110 §10.1.1). An `Expect` field of the request asks
    /// as well.
    package var expectsContinue: Bool
    /// Fields that come after the request's own: a proxy's credentials, a priority.
    package var additionalFields: HTTPFields
    /// The value of `Host` that the authority gives, where an earlier request to the same has found it out.
    var knownHost: String?

    /// Describes a head.
    package init(
        _ request: HTTPRequest,
        form: Form = .origin,
        content: HTTP1RequestContent = .none,
        expectsContinue: Bool = false,
        additionalFields: HTTPFields = HTTPFields()
    ) {
        self.request = request
        self.form = form
        self.content = content
        self.expectsContinue = expectsContinue
        self.additionalFields = additionalFields
    }
}
