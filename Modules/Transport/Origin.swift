public import HTTPTypes

/// Scheme, host and port: what a connection leads to and what credentials belong to (RFC 6454 §4, RFC 9110 §4.3.1).
public struct Origin: Sendable, Hashable {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case; an IPv6 address without its brackets.
    public let host: String
    /// The port, also when it is the scheme's default.
    public let port: Int

    /// Names an origin.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - host: The host; brackets around an IPv6 address are dropped.
    ///   - port: The port; `nil` for the scheme's default, 443 for `https` and `wss`, 80 for the rest.
    public init(scheme: String, host: String, port: Int? = nil) {
        self.scheme = scheme.lowercased()
        self.host = Self.withoutBrackets(host).lowercased()
        self.port = port ?? (self.scheme == "https" || self.scheme == "wss" ? 443 : 80)
    }

    /// The origin that `head` is addressed to, or `nil` when its scheme or authority is missing or malformed.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }

    /// The origin of an authority (`host`, `host:port`, `[v6]:port`; user information before an `@` is ignored), or
    /// `nil` when it has no host or no valid port.
    public init?(scheme: String, authority: String) {
        let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let host: Substring
        let rest: Substring
        if hostAndPort.first == "[" {
            guard let bracket = hostAndPort.firstIndex(of: "]") else { return nil }
            host = hostAndPort[hostAndPort.index(after: hostAndPort.startIndex)..<bracket]
            rest = hostAndPort[hostAndPort.index(after: bracket)...]
        } else {
            let colon = hostAndPort.firstIndex(of: ":") ?? hostAndPort.endIndex
            host = hostAndPort[..<colon]
            rest = hostAndPort[colon...]
        }
        guard !host.isEmpty else { return nil }
        guard !rest.isEmpty, rest != ":" else {
            self.init(scheme: scheme, host: String(host))
            return
        }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()) else { return nil }
        self.init(scheme: scheme, host: String(host), port: Int(port))
    }

    /// Whether requests to this origin go over TLS.
    public var isSecure: Bool { scheme == "https" || scheme == "wss" }

    private static func withoutBrackets(_ host: String) -> String {
        host.first == "[" && host.last == "]" ? String(host.dropFirst().dropLast()) : host
    }
}

extension Origin: CustomStringConvertible {
    /// `scheme://host:port`.
    public var description: String {
        host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }
}
