internal import AirframeTransport

/// The route to the server: direct, or through a proxy.
enum ProxyRoute: Sendable {
    case direct
    case through(Proxy)

    /// Returns the route to `origin` by `policy`.
    static func route(
        to origin: Origin,
        by policy: ProxyPolicy,
        environment: EnvironmentProxies = EnvironmentProxies()
    ) throws(TransportError) -> ProxyRoute {
        switch policy {
        case .none:
            return .direct
        case .environment:
            return try environment.proxy(for: origin).map { .through($0) } ?? .direct
        case .proxy(let proxy):
            return NoProxyRules(proxy.excludedHosts).contains(origin.host) ? .direct : .through(proxy)
        case .schemes:
            return try route(to: origin, by: policy.policy(for: origin), environment: environment)
        }
    }

    var isDirect: Bool {
        if case .direct = self { true } else { false }
    }

    var proxy: Proxy? {
        if case .through(let proxy) = self { proxy } else { nil }
    }

    /// Whether the proxy receives the request in absolute form and forwards it.
    func forwards(to origin: Origin) -> Bool {
        guard case .through(let proxy) = self, proxy.kind.speaksHTTP else { return false }
        return !origin.isSecure && !proxy.tunnelsAlways
    }

    /// Whether a tunnel is asked for with `CONNECT`.
    func tunnels(to origin: Origin) -> Bool {
        guard case .through(let proxy) = self, proxy.kind.speaksHTTP else { return false }
        return origin.isSecure || proxy.tunnelsAlways
    }

    /// The host whose name the engine looks up.
    func resolvedHost(for origin: Origin) -> String {
        proxy?.host ?? origin.host
    }
}

extension Proxy.Kind {
    var speaksHTTP: Bool { self == .http || self == .https }
}
