internal import AirframeReachability
package import AirframeTransport
internal import Glibc
internal import HTTPTypes

/// The hosts that a request connects to first: its server, or a proxy. Requests within this machine have none.
package struct ConnectivityTarget: Sendable, Hashable {
    /// Names and addresses. A path to one of them is enough.
    package let hosts: [String]
    /// The one interface that the request may leave by; `nil` for any.
    package let interface: String?

    /// The target of `request`; `nil` if it stays on this machine, if its head names no server, or if an override gives
    /// the server no address.
    package init?(_ request: TransportRequest) {
        guard let origin = Origin(request.head) else { return nil }
        self.init(origin, options: request.options)
    }

    /// The target of a request to `origin`; `nil` if it stays on this machine, or if an override gives `origin` no
    /// address.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - options: How the request is sent.
    ///   - environment: Looks up a variable.
    package init?(
        _ origin: Origin,
        options: TransportOptions,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) {
        guard options.unixSocketPath == nil else { return nil }
        var hosts = Self.addresses(of: origin, in: options.resolveOverrides ?? [])
        switch options.proxy?.policy(for: origin) {
        case .none?: break
        case .proxy(let proxy): hosts = proxy.excludedHosts.isEmpty ? [proxy.host] : hosts + [proxy.host]
        // By default, an engine may take the proxy from the environment.
        case .environment?, .schemes?, nil: hosts += Self.environmentProxy(for: origin, environment)
        }
        // An override without addresses and without a proxy leaves nothing to wait for; the engine reports it.
        guard !hosts.isEmpty, !hosts.contains(where: Self.isThisMachine) else { return nil }
        self.hosts = hosts
        interface = options.networkInterface
    }

    private static func addresses(of origin: Origin, in overrides: [ResolveOverride]) -> [String] {
        let override = overrides.first { $0.host.lowercased() == origin.host && $0.port == origin.port }
        return override?.addresses ?? [origin.host]
    }

    /// The host of the environment's proxy. The engine applies NO_PROXY, so both server and proxy count as targets.
    private static func environmentProxy(for origin: Origin, _ environment: (String) -> String?) -> [String] {
        let names = origin.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard
            let text = (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(environment).first(where: { !$0.isEmpty })
        else { return [] }
        let place = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        return Origin(scheme: "http", authority: String(place.prefix { !"/?#".contains($0) })).map { [$0.host] } ?? []
    }

    /// Whether a host is this machine by its name or address alone (RFC 6761 §6.3).
    private static func isThisMachine(_ host: String) -> Bool {
        let name = host.lowercased()
        let bare = name.hasSuffix(".") ? String(name.dropLast()) : name
        return bare == "localhost" || bare.hasSuffix(".localhost") || IPAddress(bare)?.isLoopback == true
    }
}
