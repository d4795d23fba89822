package import AirframeTransport

/// The way to a server: direct, or through a proxy.
package enum ProxyRoute: Sendable {
    case direct
    /// Indirect, to keep requests small: each has a route, and few have a proxy.
    indirect case through(Proxy)

    /// Returns the route to `origin` by `policy`.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if a variable of the environment names no proxy, or the proxy's
    ///   port is not from 1 to 65535.
    package static func route(
        to origin: Origin,
        by policy: ProxyPolicy,
        _ environment: EnvironmentProxies
    ) throws(TransportError) -> ProxyRoute {
        switch policy {
        case .none:
            return .direct
        case .environment:
            guard let proxy = try environment.proxy(for: origin) else { return .direct }
            return try route(through: proxy, to: origin)
        case .proxy(let proxy):
            guard !NoProxyRules(proxy.excludedHosts).contains(origin.host) else { return .direct }
            return try route(through: proxy, to: origin)
        case .schemes:
            return try route(to: origin, by: policy.policy(for: origin), environment)
        }
    }

    private static func route(through proxy: Proxy, to origin: Origin) throws(TransportError) -> ProxyRoute {
        guard (1...65_535).contains(proxy.port) else {
            throw TransportError(
                .invalidRequest,
                phase: .options,
                processing: .notSent,
                message: "the proxy \(proxy.host) has the port \(proxy.port), and ports are 1 to 65535",
                origin: origin
            )
        }
        return .through(proxy)
    }

    /// Whether there is no proxy.
    package var isDirect: Bool {
        if case .direct = self { true } else { false }
    }

    /// The proxy, if there is one.
    package var proxy: Proxy? {
        if case .through(let proxy) = self { proxy } else { nil }
    }

    /// Returns whether the proxy receives the request in absolute form (RFC 9112 §3.2.2) and forwards it.
    package func forwards(to origin: Origin) -> Bool {
        guard case .through(let proxy) = self, proxy.kind.speaksHTTP else { return false }
        return !origin.isSecure && !proxy.tunnelsAlways
    }

    /// Returns whether the engine requests a tunnel with `CONNECT` (RFC 9110 §9.3.6).
    package func tunnels(to origin: Origin) -> Bool {
        guard case .through(let proxy) = self, proxy.kind.speaksHTTP else { return false }
        return origin.isSecure || proxy.tunnelsAlways
    }

    /// Returns the host whose name the engine resolves: the proxy's, or the server's.
    package func resolvedHost(for origin: Origin) -> String {
        proxy?.host ?? origin.host
    }
}

extension Proxy.Kind {
    /// Whether the client speaks HTTP with the proxy.
    package var speaksHTTP: Bool { self == .http || self == .https }
}
