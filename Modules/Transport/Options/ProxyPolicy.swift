/// Whether a request goes through a proxy.
public enum ProxyPolicy: Sendable, Hashable {
    /// By the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment.
    case environment
    /// Directly to the server, regardless of the environment.
    case none
    /// Through this proxy, except for the hosts in its list.
    case proxy(Proxy)
    /// One policy for `http` requests, another for `https`. The engine chooses for each request that it sends, so a
    /// redirect to the other scheme changes the policy.
    indirect case schemes(http: ProxyPolicy, https: ProxyPolicy)

    /// Returns the policy for `origin`; never ``schemes(http:https:)``.
    public func policy(for origin: Origin) -> ProxyPolicy {
        var policy = self
        while case .schemes(let http, let https) = policy { policy = origin.isSecure ? https : http }
        return policy
    }

    var requiredFeatures: TransportFeatures {
        switch self {
        case .environment: .environmentProxy
        case .none: []
        case .proxy(let proxy): proxy.kind.requiredFeatures
        case .schemes(let http, let https): http.requiredFeatures.union(https.requiredFeatures)
        }
    }
}

/// A proxy server.
public struct Proxy: Sendable, Hashable {
    /// The protocol of a proxy.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// HTTP: absolute form for `http`, `CONNECT` for `https` (RFC 9110 §9.3.6)
        case http
        /// HTTP over TLS
        case https
        /// SOCKS 4: the client resolves names, to IPv4
        case socks4
        /// SOCKS 4a: the proxy resolves names
        case socks4a
        /// SOCKS 5 (RFC 1928): the client resolves names
        case socks5
        /// SOCKS 5: the proxy resolves names
        case socks5h

        var requiredFeatures: TransportFeatures {
            switch self {
            case .http: .httpProxy
            case .https: .httpsProxy
            case .socks4, .socks4a, .socks5, .socks5h: .socksProxy
            }
        }
    }

    /// A name and a password for the proxy.
    public struct Credential: Sendable, Hashable {
        /// The user's name.
        public var username: String
        /// The password.
        public var password: String

        /// Creates a credential.
        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// The proxy's protocol.
    public var kind: Kind
    /// The proxy's host.
    public var host: String
    /// The proxy's port.
    public var port: Int
    /// The credential for the proxy.
    public var credential: Credential?
    /// The hosts that are reached without the proxy, by curl's rules for `no_proxy`: a name and all names below it, an
    /// address, a CIDR block, or `*` for all.
    public var excludedHosts: [String]
    /// Whether `http` requests are sent through a tunnel (`CONNECT`), too.
    public var tunnelsAlways: Bool

    /// Creates a description of a proxy.
    ///
    /// - Parameters:
    ///   - kind: The protocol of the proxy.
    ///   - host: The host name or IP address of the proxy.
    ///   - port: The port of the proxy.
    ///   - credential: The credential for the proxy; `nil` for none.
    ///   - excludedHosts: The hosts that are reached without the proxy, by curl's rules for `no_proxy`.
    ///   - tunnelsAlways: Whether `http` requests are sent through a tunnel (`CONNECT`, RFC 9110 §9.3.6), too.
    public init(
        kind: Kind = .http,
        host: String,
        port: Int,
        credential: Credential? = nil,
        excludedHosts: [String] = [],
        tunnelsAlways: Bool = false
    ) {
        self.kind = kind
        self.host = host
        self.port = port
        self.credential = credential
        self.excludedHosts = excludedHosts
        self.tunnelsAlways = tunnelsAlways
    }
}

extension Proxy.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name; the password is left out.
    public var description: String { "\(username):\(Redaction.placeholder)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The name; the password is left out, so that `dump` shows none.
    public var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}
