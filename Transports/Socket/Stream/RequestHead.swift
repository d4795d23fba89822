package import AirframeTransport
package import HTTPTypes

/// A request's head with what a version of HTTP needs beside `HTTPRequest` to encode it.
package struct RequestHead: Sendable {
    /// What the request line of HTTP/1.1 names (RFC 9112 §3.2).
    package enum Form: Sendable, Hashable {
        /// `/path?query`, or `*`: straight to the server, or through a tunnel.
        case origin
        /// `http://host/path?query`: to a proxy that forwards.
        case absolute
    }

    /// Method, scheme, authority, path and fields. With the method `CONNECT` the authority is the target, host and
    /// port, whatever ``form`` says.
    package var request: HTTPRequest {
        _read { yield shared.head }
        set { shared = SharedRequestHead(newValue) }
    }
    private(set) var shared: SharedRequestHead
    /// What the request line names.
    package var form: Form
    /// The length of the content.
    package var content: RequestContentLength
    /// Whether to ask for `100 (Continue)` before the content (RFC 9110 §10.1.1). An `Expect` field of the request asks
    /// as well.
    package var expectsContinue: Bool
    /// Fields that come after the request's own: a proxy's credentials, a priority.
    package var additionalFields: HTTPFields
    /// The protocol that the caller asks to speak on the connection: by `Upgrade` or `CONNECT` over HTTP/1.1, by
    /// (extended) `CONNECT` over HTTP/2 (RFC 8441). A request with the method `CONNECT` and no `upgrade` is refused.
    package var upgrade: UpgradeProtocol?
    /// The value of `Host` that the authority gives, where an earlier request to the same has found it out.
    var knownHost: String?

    /// Describes a head.
    ///
    /// - Parameters:
    ///   - request: Method, scheme, authority, path and fields.
    ///   - form: What the request line names.
    ///   - content: The length of the content.
    ///   - expectsContinue: Whether to ask for `100 (Continue)` before the content.
    ///   - additionalFields: Fields that come after the request's own.
    ///   - upgrade: The protocol that the caller asks to speak on the connection.
    package init(
        _ request: HTTPRequest,
        form: Form = .origin,
        content: RequestContentLength = .none,
        expectsContinue: Bool = false,
        additionalFields: HTTPFields = HTTPFields(),
        upgrade: UpgradeProtocol? = nil
    ) {
        self.init(
            SharedRequestHead(request),
            form: form,
            content: content,
            expectsContinue: expectsContinue,
            additionalFields: additionalFields,
            upgrade: upgrade,
            knownHost: nil
        )
    }

    init(
        _ shared: SharedRequestHead,
        form: Form,
        content: RequestContentLength,
        expectsContinue: Bool,
        additionalFields: HTTPFields,
        upgrade: UpgradeProtocol?,
        knownHost: String?
    ) {
        self.shared = shared
        self.form = form
        self.content = content
        self.expectsContinue = expectsContinue
        self.additionalFields = additionalFields
        self.upgrade = upgrade
        self.knownHost = knownHost
    }
}
