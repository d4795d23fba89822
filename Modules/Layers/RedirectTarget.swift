internal import FoundationEssentials
internal import HTTPTypes

/// The target of a `Location`, resolved against the request that it answers (RFC 3986 §5), without the fragment.
struct RedirectTarget {
    /// The scheme in lower case; not necessarily one of HTTP.
    let scheme: String
    /// Host and port, without user information; `nil` for a URL without a host.
    let authority: String?
    /// Path and query, percent-encoded.
    let path: String

    /// Resolves `location`; `nil` if it is not a URL.
    init?(_ location: String, from head: HTTPRequest) {
        guard let base = Self.url(of: head), let url = URL(string: location, relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), !scheme.isEmpty
        else { return nil }
        self.scheme = scheme
        if let host = url.host(percentEncoded: true), !host.isEmpty {
            let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            authority = url.port.map { "\(name):\($0)" } ?? name
        } else {
            authority = nil
        }
        let path = url.path(percentEncoded: true)
        let isRoot = path.isEmpty && (scheme == "http" || scheme == "https")
        self.path = (isRoot ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    private static func url(of head: HTTPRequest) -> URL? {
        // `*` (RFC 9110 §7.1) is not a path and would become a part of the host.
        let path = head.path.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
        return URL(string: "\(head.scheme ?? "http")://\(head.authority ?? "")\(path)")
    }
}
