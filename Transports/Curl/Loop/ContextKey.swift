internal import AirframeTransport
internal import AirframeWire

/// The properties that must be equal for two requests to share connections.
///
/// libcurl itself compares hosts, ports and proxies. The key holds what libcurl does not compare: trust evaluation,
/// client identity, roots, TLS versions and algorithms, overrides of names, socket settings, the local end, and the
/// users that a handshake or a tunnel's proxy authenticates. Each key has its connection cache, its DNS cache and its
/// TLS session cache.
struct ContextKey: Sendable, Equatable {
    var trust: TrustKey?
    /// Whether later handshakes may resume TLS sessions. A resumed handshake contains no certificates to evaluate, and
    /// libcurl offers no hook before it. An evaluation whose answer can change therefore gets a full handshake each
    /// time.
    var resumesSessions = true
    var identity: ClientIdentity?
    var tls = TLSOptions()
    var httpVersion: HTTPVersionPolicy
    var resolveOverrides: [ResolveOverride] = []
    var socket = SocketSettings()
    /// The local end. libcurl 7.88 lets a request without one use a connection that has one.
    var localAddress: String?
    var networkInterface: String?
    /// The credential of the proxy that connections are tunnelled through. libcurl before 8.19 lets a request use a
    /// tunnel that another user of the proxy has opened (CVE-2026-3784).
    var tunnelCredential: Proxy.Credential?
    /// The user that a handshake has authenticated the connections for. libcurl 7.88 lets a request without a
    /// credential use a connection that Negotiate has authenticated.
    var authentication: ConnectionAuthentication?

    init(
        _ request: borrowing TransportRequest,
        origin: Origin,
        route: ProxyRoute,
        httpVersion: HTTPVersionPolicy,
        authentication: ConnectionAuthentication?
    ) {
        self.httpVersion = httpVersion
        self.authentication = authentication
        resolveOverrides = request.options.resolveOverrides ?? []
        socket = request.options.socket
        localAddress = request.options.localAddress
        networkInterface = request.options.networkInterface
        if route.tunnels(to: origin) { tunnelCredential = route.proxy?.credential }
        guard origin.isSecure || route.proxy?.kind == .https else { return }
        trust = request.trust?.key
        resumesSessions = request.trust.map { !$0.answerCanChange } ?? true
        identity = request.identity
        tls = request.options.tls
        if tls.roots == nil { tls.roots = .system }
    }
}
