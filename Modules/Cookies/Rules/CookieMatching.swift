internal import AirframeLayers

/// The matching of domains and paths (RFC 6265bis §5.1.3, §5.1.4).
enum CookieMatching {
    /// Whether `host` is `domain`, or a subdomain of it and not an IP address.
    static func domain(_ domain: String, matches host: String) -> Bool {
        if host == domain { return true }
        let (host8, domain8) = (host.utf8, domain.utf8)
        guard host8.count > domain8.count, host8.reversed().starts(with: domain8.reversed()) else { return false }
        let before = host8.index(host8.endIndex, offsetBy: -domain8.count - 1)
        return host8[before] == UInt8(ascii: ".") && !HostName.isAddress(host)
    }

    /// Whether a request for `path` gets cookies of `cookiePath`, which must be equal or a parent folder.
    static func path(_ cookiePath: String, matches path: String) -> Bool {
        if cookiePath == path { return true }
        let (cookie8, path8) = (cookiePath.utf8, path.utf8)
        guard path8.count > cookie8.count, path8.starts(with: cookie8) else { return false }
        return cookie8.last == UInt8(ascii: "/")
            || path8[path8.index(path8.startIndex, offsetBy: cookie8.count)] == UInt8(ascii: "/")
    }

    /// The path of a cookie without a `Path` attribute: that of the request up to its last slash.
    static func defaultPath(of path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }
}
