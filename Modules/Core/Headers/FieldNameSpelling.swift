internal import HTTPTypes

extension HTTPField.Name {
    /// The usual spelling of a well-known name, as in Apple's `HTTPURLResponse`; the received spelling of other names.
    ///
    /// Programs look up `Content-Type` in dictionaries of fields, but HTTP/2 sends `content-type` (RFC 9113 §8.2.1),
    /// and HTTP/1 servers write names in any case.
    var usualSpelling: String { Self.usualSpellings[canonicalName] ?? rawName }

    /// The usual spellings by the names in lower case.
    private static let usualSpellings: [String: String] = Dictionary(
        wellKnown.map { ($0.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of IANA's HTTP Field Name Registry, without those that no longer occur, and names that servers spell
    /// alike although they are not registered. A name that servers spell differently, such as that of a request number,
    /// keeps the received spelling.
    private static let wellKnown: [String] = [
        "A-IM", "Accept", "Accept-CH", "Accept-Charset", "Accept-Datetime", "Accept-Encoding", "Accept-Features",
        "Accept-Language", "Accept-Patch", "Accept-Post", "Accept-Query", "Accept-Ranges", "Accept-Signature",
        "Access-Control-Allow-Credentials", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods",
        "Access-Control-Allow-Origin", "Access-Control-Allow-Private-Network", "Access-Control-Expose-Headers",
        "Access-Control-Max-Age", "Access-Control-Request-Headers", "Access-Control-Request-Method",
        "Activate-Storage-Access", "Age", "Allow", "ALPN", "Alt-Svc", "Alt-Used", "Alternates", "Apply-To-Redirect-Ref",
        "Authentication-Control", "Authentication-Info", "Authorization", "Available-Dictionary", "Cache-Control",
        "Cache-Group-Invalidation", "Cache-Groups", "Cache-Status", "Cal-Managed-ID", "CalDAV-Timezones",
        "Capsule-Protocol", "CDN-Cache-Control", "CDN-Loop", "Cert-Not-After", "Cert-Not-Before", "Clear-Site-Data",
        "Client-Cert", "Client-Cert-Chain", "CMCD-Object", "CMCD-Request", "CMCD-Session", "CMCD-Status",
        "CMSD-Dynamic", "CMSD-Static", "Connection", "Content-Base", "Content-Digest", "Content-Disposition",
        "Content-Encoding", "Content-ID", "Content-Language", "Content-Length", "Content-Location", "Content-MD5",
        "Content-Range", "Content-Security-Policy", "Content-Security-Policy-Report-Only", "Content-Type",
        "Content-Version", "Cookie", "Cookie2", "Cross-Origin-Embedder-Policy",
        "Cross-Origin-Embedder-Policy-Report-Only", "Cross-Origin-Opener-Policy",
        "Cross-Origin-Opener-Policy-Report-Only", "Cross-Origin-Resource-Policy", "DASL", "Date", "DAV", "Delta-Base",
        "Deprecation", "Depth", "Destination", "Dictionary-ID", "Digest", "DNT", "DPoP", "DPoP-Nonce", "Early-Data",
        "ETag", "Expect", "Expect-CT", "Expires", "Feature-Policy", "Forwarded", "From", "Host", "HTTP2-Settings",
        "Idempotency-Key", "If", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Schedule-Tag-Match",
        "If-Unmodified-Since", "IM", "Incremental", "Keep-Alive", "Last-Event-ID", "Last-Modified", "Link",
        "Link-Template", "Location", "Lock-Token", "Max-Forwards", "Memento-Datetime", "Meter", "MIME-Version",
        "Negotiate", "NEL", "OData-EntityId", "OData-Isolation", "OData-MaxVersion", "OData-Version",
        "Optional-WWW-Authenticate", "Ordering-Type", "Origin", "Origin-Agent-Cluster", "OSCORE", "OSLC-Core-Version",
        "Overwrite", "P3P", "Permissions-Policy", "Ping-From", "Ping-To", "Position", "Pragma", "Prefer",
        "Preference-Applied", "Priority", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        "Proxy-Connection", "Proxy-Status", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Range", "RateLimit",
        "RateLimit-Policy", "Redirect-Ref", "Referer", "Referrer-Policy", "Refresh", "Replay-Nonce", "Report-To",
        "Reporting-Endpoints", "Repr-Digest", "Retry-After", "Schedule-Reply", "Schedule-Tag", "Sec-CH-UA",
        "Sec-CH-UA-Mobile", "Sec-CH-UA-Platform", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site",
        "Sec-Fetch-Storage-Access", "Sec-Fetch-User", "Sec-GPC", "Sec-Purpose", "Sec-Token-Binding",
        "Sec-WebSocket-Accept", "Sec-WebSocket-Extensions", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol",
        "Sec-WebSocket-Version", "Server", "Server-Timing", "Set-Cookie", "Set-Cookie2", "Set-Txn", "Signature",
        "Signature-Input", "SLUG", "SOAPAction", "SourceMap", "Status-URI", "Strict-Transport-Security", "Sunset",
        "Surrogate-Capability", "Surrogate-Control", "TCN", "TE", "Timeout", "Timing-Allow-Origin", "Topic", "Trailer",
        "Transfer-Encoding", "TTL", "Unencoded-Digest", "Upgrade", "Upgrade-Insecure-Requests", "Upload-Complete",
        "Upload-Length", "Upload-Limit", "Upload-Offset", "Urgency", "Use-As-Dictionary", "User-Agent", "Variant-Vary",
        "Vary", "Via", "Want-Content-Digest", "Want-Digest", "Want-Repr-Digest", "Warning", "WWW-Authenticate",
        "X-Content-Type-Options", "X-DNS-Prefetch-Control", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
        "X-Frame-Options", "X-Powered-By", "X-Requested-With", "X-Robots-Tag", "X-UA-Compatible", "X-XSS-Protection",
    ]
}
