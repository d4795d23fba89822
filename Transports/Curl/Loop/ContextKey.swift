internal import AirframeTransport

/// What must be equal for two requests to share connections.
///
/// libcurl compares hosts, ports, proxies and local ends by itself. What it cannot see is here: who judged the server,
/// as whom we appeared, which roots and versions were allowed, where names led to. Each key has a connection cache, a
/// DNS cache and a TLS session cache of its own.
struct ContextKey: Sendable, Equatable {
    var trust: TrustKey?
    var identity: ClientIdentity?
    var tls = TLSOptions()
    var httpVersion: HTTPVersionPolicy
    var resolveOverrides: [ResolveOverride] = []

    init(_ request: borrowing TransportRequest, origin: Origin, route: ProxyRoute, httpVersion: HTTPVersionPolicy) {
        self.httpVersion = httpVersion
        resolveOverrides = request.options.resolveOverrides ?? []
        guard origin.isSecure || route.proxy?.kind == .https else { return }
        trust = request.trust?.key
        identity = request.identity
        tls = request.options.tls
        if tls.roots == nil { tls.roots = .system }
    }
}
