/// Whether a request goes through a proxy.
public enum ProxyPolicy: Sendable, Hashable {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment say.
    case environment
    /// Straight to the server, whatever the environment says.
    case none
    /// Through this proxy, except for the hosts in its list.
    case proxy(Proxy)
    /// One policy for requests in the clear, another for those over TLS. The engine chooses for each request that it
    /// sends: one that is redirected to the other scheme takes the other way.
    indirect case schemes(http: ProxyPolicy, https: ProxyPolicy)

    /// The policy for `origin`: never ``schemes(http:https:)``.
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
    /// What the proxy speaks.
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

        /// Makes a credential.
        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    /// What the proxy speaks.
    public var kind: Kind
    /// Its host.
    public var host: String
    /// Its port.
    public var port: Int
    /// How to sign in to it.
    public var credential: Credential?
    /// Hosts that are reached without it, by curl's rules for `no_proxy`: a name and all names below it, an address, a
    /// CIDR block, or `*` for all.
    public var excludedHosts: [String]
    /// Whether `http` requests go through a tunnel (`CONNECT`) as well.
    public var tunnelsAlways: Bool

    /// Describes a proxy.
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
