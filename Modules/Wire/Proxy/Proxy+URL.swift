package import AirframeTransport

extension Proxy {
    /// Creates the proxy named by a URL such as `http://user:password@host:3128`. Without a scheme it is an HTTP proxy.
    package init?(url: String) {
        var rest = url[...]
        var kind = Kind.http
        if let range = rest.firstRange(of: "://") {
            let scheme = rest[..<range.lowerBound].lowercased()
            guard let named = scheme == "socks" ? .socks4 : Kind(rawValue: scheme) else { return nil }
            kind = named
            rest = rest[range.upperBound...]
        }
        rest = Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })
        var credential: Credential?
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let bytes = rest.utf8[..<at]
            let parts = bytes.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
                .map { Substring($0) }
            let password = parts.count > 1 ? parts[1] : ""
            credential = Credential(username: Self.decoded(parts[0]), password: Self.decoded(password))
            rest = Substring(rest.utf8[at...].dropFirst())
        }
        // curl's default port for proxies is 1080, except for `https`, which has its usual one.
        let scheme = kind == .https ? "https" : "http"
        guard let place = Origin(scheme: scheme, authority: String(rest)) else { return nil }
        let namesPort = rest.hasSuffix(":\(place.port)")
        let port = namesPort ? place.port : (kind == .https ? 443 : 1080)
        self.init(kind: kind, host: place.host, port: port, credential: credential)
    }

    private static func decoded(_ text: Substring) -> String {
        String(decoding: PercentEncoding.decode(text), as: UTF8.self)
    }
}
