package import AirframeTransport

/// The way to a server: direct, or through a proxy.
package enum ProxyRoute: Sendable {
    case direct
    /// Indirect, to keep requests small: each has a route, and few have a proxy.
    indirect case through(Proxy)

    /// Returns the route to `origin` by `policy`.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if a variable of the environment names no proxy.
    package static func route(
        to origin: Origin,
        by policy: ProxyPolicy,
        _ environment: EnvironmentProxies
    ) throws(TransportError) -> ProxyRoute {
        switch policy {
        case .none:
            return .direct
        case .environment:
            return try environment.proxy(for: origin).map { .through($0) } ?? .direct
        case .proxy(let proxy):
            return NoProxyRules(proxy.excludedHosts).contains(origin.host) ? .direct : .through(proxy)
        case .schemes:
            return try route(to: origin, by: policy.policy(for: origin), environment)
        }
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
