internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// What one redirect response asks for.
struct Redirect {
    /// The response.
    let response: HTTPResponse
    /// The request that follows it.
    let next: HTTPRequest
    /// Whether the content is sent again.
    let keepsBody: Bool

    /// Reads a response, or returns `nil` when it is no redirect: another status, or no `Location`.
    ///
    /// - Throws: ``TransportError/Code/invalidRedirect`` when `Location` leads nowhere that HTTP can go.
    init?(_ response: HTTPResponse, answering request: TransportRequest) throws(TransportError) {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headerFields[.location]
        else { return nil }
        let code = response.status.code
        let head = request.head
        let becomesGet =
            (code == 303 && head.method != .head) || ((code == 301 || code == 302) && head.method == .post)
        self.response = response
        keepsBody = !becomesGet
        next = try Self.next(to: location, from: head, method: becomesGet ? .get : head.method)
    }

    private static func next(
        to location: String,
        from head: HTTPRequest,
        method: HTTPRequest.Method
    ) throws(TransportError) -> HTTPRequest {
        guard let target = RedirectTarget(location, from: head) else {
            throw TransportError(
                .invalidRedirect,
                phase: .layer,
                processing: .unknown,
                message: "the redirect's location \"\(Redaction.url(location))\" is not a valid http or https URL",
                origin: Origin(head)
            )
        }
        var next = head
        next.method = method
        next.scheme = target.scheme
        next.authority = target.authority
        next.path = target.path
        if method != head.method {
            for name in contentFields { next.headerFields[name] = nil }
        }
        if Origin(next) != Origin(head) {
            for name in credentialFields { next.headerFields[name] = nil }
        }
        return next
    }

    /// Fields that describe content, dropped with it (RFC 9110 §15.4).
    private static let contentFields: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .transferEncoding, .expect,
        .trailer,
    ]

    /// Fields that belong to the origin that they were made for. `Host` is derived from the authority anew.
    private static let credentialFields: [HTTPField.Name] = [
        .authorization, .cookie, .proxyAuthorization, HTTPField.Name("Host"),
    ].compactMap(\.self)
}

/// Where a `Location` leads, resolved against the request that it answers (RFC 3986 §5).
private struct RedirectTarget {
    let scheme: String
    let authority: String
    let path: String

    init?(_ location: String, from head: HTTPRequest) {
        guard let base = URL(string: "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")"),
            let url = URL(string: location, relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: true), !host.isEmpty
        else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        self.scheme = scheme
        authority = url.port.map { "\(name):\($0)" } ?? name
        let path = url.path(percentEncoded: true)
        self.path = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }
}
