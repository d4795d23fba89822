internal import AirframeLayers
public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// The properties of a request that cookies depend on: its target and its context.
public struct CookieRequest: Sendable, Hashable {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host in lower case, an IPv6 address without brackets.
    public let host: String
    /// The path without the query.
    public let path: String
    /// Whether the method is safe (RFC 9110 §9.2.1).
    public var isSafe: Bool
    /// Whether the request is made by HTTP. `HttpOnly` cookies are hidden from other interfaces, which cannot replace
    /// them either.
    public var isHTTP = true
    /// The origin of the document that the request belongs to; `nil` for a request without a document, which is
    /// same-site with every server (§5.2).
    public var firstParty: Origin?
    /// Whether the request navigates to a new document, so that `SameSite=Lax` cookies are sent cross-site too.
    public var isTopLevelNavigation = false

    /// Describes a request for a URL, or returns `nil` for one without scheme or host.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - isSafe: Whether the method is safe.
    public init?(url: URL, isSafe: Bool = true) {
        guard let scheme = url.scheme, let host = url.host(percentEncoded: false), !host.isEmpty else { return nil }
        self.scheme = scheme.lowercased()
        let bare = host.first == "[" && host.last == "]" ? String(host.dropFirst().dropLast()) : host
        self.host = bare.lowercased()
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        self.isSafe = isSafe
    }

    /// Describes a request by its head, or returns `nil` for one without scheme or valid authority.
    public init?(_ head: HTTPRequest) {
        guard let origin = Origin(head) else { return nil }
        scheme = origin.scheme
        host = origin.host
        let target = head.path ?? "/"
        let end = target.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        path = end.map { String(target[..<$0]) } ?? target
        isSafe = head.method == .get || head.method == .head || head.method == .options || head.method == .trace
    }

    /// Whether the request is sent over TLS.
    var isEncrypted: Bool { scheme == "https" || scheme == "wss" }

    /// Whether the host is `localhost` or a subdomain of it (RFC 6761 §6.3).
    var isLocalhost: Bool {
        let name = HostName.canonical(host)
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Whether the request is same-site (§5.2): the schemes and registrable domains of document and target are equal.
    var isSameSite: Bool {
        guard let firstParty else { return true }
        return firstParty.isSecure == isEncrypted && isOfFirstPartyDomain
    }

    /// Whether the target has the registrable domain of the request's document.
    var isOfFirstPartyDomain: Bool {
        guard let firstParty, firstParty.host != host else { return true }
        return Self.site(of: firstParty.host) == Self.site(of: host)
    }

    /// The site that partitioned cookies belong to: that of the document, or the target's.
    var partition: String {
        let isSecure = firstParty?.isSecure ?? isEncrypted
        return (isSecure ? "https://" : "http://") + Self.site(of: firstParty?.host ?? host)
    }

    private static func site(of host: String) -> String { PublicSuffixes.registrableDomain(of: host) ?? host }
}
