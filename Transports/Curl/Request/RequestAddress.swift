internal import AirframeTransport
internal import HTTPTypes

/// The origin of a request, and its URL in libcurl's form.
struct RequestAddress {
    let origin: Origin
    let url: String
    let target: String?
    /// The origin's host, if the system's resolver is to resolve it.
    let lookedUpName: String?

    /// - Throws: ``TransportError/Code/unsupportedScheme`` or ``TransportError/Code/invalidRequest``.
    init(_ head: HTTPRequest, memo: OriginMemo = OriginMemo()) throws(TransportError) {
        guard let named = head.scheme, !named.isEmpty else {
            throw RequestPlan.invalid("the request has no scheme", nil)
        }
        let scheme = named == "https" || named == "http" ? named : named.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(
                .unsupportedScheme,
                phase: .options,
                processing: .notSent,
                message: "CurlTransport sends http and https requests, not \(scheme)"
            )
        }
        guard let authority = head.authority, !authority.isEmpty else {
            throw RequestPlan.invalid("the request has no authority (host)", nil)
        }
        guard let place = memo.place(scheme: scheme, authority: authority) else {
            throw RequestPlan.invalid("the request's authority is malformed: \(Redaction.invalidURL(authority))", nil)
        }
        if let fault = place.origin.hostFault { throw RequestPlan.invalid(fault, nil) }
        origin = place.origin
        lookedUpName = place.lookedUpName
        let asked = head.path ?? ""
        if let known = memo.url(scheme: scheme, authority: authority, path: asked) {
            url = known
            target = nil
            return
        }
        // User information is for the authentication layer and is not sent (RFC 9110 §4.2.4).
        let host =
            authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority[...]
        let path = try Self.checked(asked, origin)
        target = path == "*" ? "*" : nil
        url = "\(scheme)://\(host)\(path == "*" ? "/" : path)"
        if target == nil { memo.keep(url, scheme: scheme, authority: authority, path: asked) }
    }

    private static func checked(_ path: String, _ origin: Origin) throws(TransportError) -> String {
        guard !path.isEmpty else { return "/" }
        // A request target is visible ASCII (RFC 9112 §3.2). libcurl would silently drop a fragment.
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            let shown = Redaction.invalidURL(path).debugDescription
            throw RequestPlan.invalid("the request's path contains invalid characters: \(shown)", origin)
        }
        switch path.utf8.first {
        case UInt8(ascii: "/"): return path
        case UInt8(ascii: "?"): return "/\(path)"
        case UInt8(ascii: "*") where path == "*": return path
        default:
            let shown = Redaction.invalidURL(path).debugDescription
            throw RequestPlan.invalid("the request's path does not begin with a slash: \(shown)", origin)
        }
    }
}
