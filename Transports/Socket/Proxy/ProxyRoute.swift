internal import AirframeTransport

/// The route to the server: direct, or through a proxy.
enum ProxyRoute: Sendable {
    case direct
    /// Indirect, so that routes are small: each request has one, and few have a proxy.
    indirect case through(Proxy)

    /// Returns the route to `origin` by `policy`.
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

    /// Returns whether the proxy forwards requests, which it receives in absolute form.
    func forwards(to origin: Origin) -> Bool {
        guard case .through(let proxy) = self, proxy.kind.speaksHTTP else { return false }
        return !origin.isSecure && !proxy.tunnelsAlways
    }

    /// Returns the host whose name this side resolves.
    func resolvedHost(for origin: Origin) -> String {
        proxy?.host ?? origin.host
    }
}

extension Proxy.Kind {
    var speaksHTTP: Bool { self == .http || self == .https }
}
