internal import AirframeTransport
internal import Glibc

/// The proxies that the environment names, by curl's rules: `http_proxy` (in lower case only: a CGI program gets the
/// header `Proxy` as `HTTP_PROXY`), `https_proxy`, `all_proxy` and `no_proxy`, the last three in either case.
struct EnvironmentProxies {
    private let variable: (String) -> String?

    init(_ variable: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        self.variable = variable
    }

    /// Returns the proxy for `origin`, or `nil` if none is named or the host is excluded.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` for a variable whose value is not the URL of a proxy.
    func proxy(for origin: Origin) throws(TransportError) -> Proxy? {
        let named =
            origin.isSecure ? value("https_proxy") ?? value("HTTPS_PROXY") : value("http_proxy")
        guard let (name, text) = named ?? value("all_proxy") ?? value("ALL_PROXY") else { return nil }
        let excluded = variable("no_proxy") ?? variable("NO_PROXY") ?? ""
        guard !NoProxyRules(excluded).contains(origin.host) else { return nil }
        guard let proxy = Proxy(url: text) else {
            throw TransportError(
                .invalidRequest,
                phase: .options,
                processing: .notSent,
                message: "the variable \(name) names no proxy: \(Redaction.invalidURL(text))",
                origin: origin
            )
        }
        return proxy
    }

    /// Returns the value of a variable that is set and not empty, with its name.
    private func value(_ name: String) -> (name: String, text: String)? {
        guard let text = variable(name), !text.isEmpty else { return nil }
        return (name, text)
    }
}

extension Proxy {
    /// Parses a URL such as `http://user:password@host:3128`. Without a scheme it names an HTTP proxy.
    init?(url: String) {
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
        // curl's default port for proxies is 1080, and 443 for `https`.
        let scheme = kind == .https ? "https" : "http"
        guard let place = Origin(scheme: scheme, authority: String(rest)) else { return nil }
        let namesPort = rest.hasSuffix(":\(place.port)")
        let port = namesPort ? place.port : (kind == .https ? 443 : 1080)
        self.init(kind: kind, host: place.host, port: port, credential: credential)
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
