internal import AirframeTransport

/// The way to the server: straight, or through a proxy.
enum ProxyRoute: Sendable {
    case direct
    /// Beside the route and not in it: each request has one, and few have a proxy.
    indirect case through(Proxy)

    /// The route that `policy` gives to `origin`.
    static func route(
        to origin: Origin,
        by policy: ProxyPolicy?,
        _ environment: EnvironmentProxies
    ) throws(TransportError) -> ProxyRoute {
        let policy = policy ?? .environment
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

    var proxy: Proxy? {
        if case .through(let proxy) = self { proxy } else { nil }
    }

    /// Whether the proxy gets the request itself, in absolute form, and answers in the server's stead.
    func forwards(to origin: Origin) -> Bool {
        guard case .through(let proxy) = self, proxy.kind.speaksHTTP else { return false }
        return !origin.isSecure && !proxy.tunnelsAlways
    }

    /// The host whose name is looked up here.
    func resolvedHost(for origin: Origin) -> String {
        proxy?.host ?? origin.host
    }
}

extension Proxy.Kind {
    var speaksHTTP: Bool { self == .http || self == .https }
}
