package import AirframeTransport
package import HTTPTypes

/// A request head, with the information beyond `HTTPRequest` that encoding needs.
package struct RequestHead: Sendable {
    /// The form of the request target in HTTP/1.1 (RFC 9112 §3.2).
    package enum Form: Sendable, Hashable {
        /// `/path?query`, or `*`: to the server directly, or through a tunnel.
        case origin
        /// `http://host/path?query`: to a forwarding proxy.
        case absolute
    }

    /// Method, scheme, authority, path and fields. With the method `CONNECT` the request target is the authority, host
    /// and port, regardless of ``form``.
    package var request: HTTPRequest {
        _read { yield shared.head }
        set { shared = SharedRequestHead(newValue) }
    }
    private(set) var shared: SharedRequestHead
    /// The form of the request target.
    package var form: Form
    /// The length of the content.
    package var content: RequestContentLength
    /// Whether to expect `100 (Continue)` before the content (RFC 9110 §10.1.1). An `Expect` field of the request has
    /// the same effect.
    package var expectsContinue: Bool
    /// Fields that follow the request's own: a proxy's credentials, a priority.
    package var additionalFields: HTTPFields {
        get { extras?.fields ?? HTTPFields() }
        set { extras = Extras(newValue, upgrade) }
    }
    /// The protocol to speak on the connection: by `Upgrade` or `CONNECT` over HTTP/1.1, by (extended) `CONNECT` over
    /// HTTP/2 (RFC 8441). A request with the method `CONNECT` and no `upgrade` is rejected.
    package var upgrade: UpgradeProtocol? {
        get { extras?.upgrade }
        set { extras = Extras(additionalFields, newValue) }
    }
    /// What few heads have; `nil` for none. An object, so that most copies of a head retain two objects.
    private var extras: Extras?
    /// The server, if an earlier request to the same authority has computed the value of `Host`.
    private var destination: Destination?

    /// Creates a head.
    ///
    /// - Parameters:
    ///   - request: Method, scheme, authority, path and fields.
    ///   - form: The form of the request target.
    ///   - content: The length of the content.
    ///   - expectsContinue: Whether to expect `100 (Continue)` before the content.
    ///   - additionalFields: Fields that follow the request's own.
    ///   - upgrade: The protocol to speak on the connection.
    package init(
        _ request: HTTPRequest,
        form: Form = .origin,
        content: RequestContentLength = .none,
        expectsContinue: Bool = false,
        additionalFields: HTTPFields? = nil,
        upgrade: UpgradeProtocol? = nil
    ) {
        self.init(
            SharedRequestHead(request),
            form: form,
            content: content,
            expectsContinue: expectsContinue,
            additionalFields: additionalFields,
            upgrade: upgrade,
            destination: nil
        )
    }

    @inline(__always)
    init(
        _ shared: SharedRequestHead,
        form: Form,
        content: RequestContentLength,
        expectsContinue: Bool,
        additionalFields: HTTPFields?,
        upgrade: UpgradeProtocol?,
        destination: Destination?
    ) {
        self.shared = shared
        self.form = form
        self.content = content
        self.expectsContinue = expectsContinue
        if additionalFields != nil || upgrade != nil {
            extras = Extras(additionalFields ?? HTTPFields(), upgrade)
        } else {
            extras = nil
        }
        self.destination = destination
    }

    /// Whether the head's bytes depend on ``request`` alone.
    var isPlain: Bool {
        form == .origin && content == .none && !expectsContinue && extras == nil
    }

    private final class Extras: Sendable {
        let fields: HTTPFields
        let upgrade: UpgradeProtocol?

        init(_ fields: HTTPFields, _ upgrade: UpgradeProtocol?) {
            self.fields = fields
            self.upgrade = upgrade
        }
    }

    /// The value of `Host` for the authority, if it is known.
    var knownHost: String? { destination?.host }
}
