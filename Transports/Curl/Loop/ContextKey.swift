internal import AirframeTransport
internal import AirframeWire

/// The properties that must be equal for two requests to share connections.
///
/// libcurl itself compares hosts, ports, proxies and local addresses. The key holds what libcurl cannot compare: trust
/// evaluation, client identity, roots, TLS versions and algorithms, overrides of names, socket settings and the user
/// that a handshake authenticates. Each key has a connection cache, a DNS cache and a TLS session cache of its own.
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
        guard origin.isSecure || route.proxy?.kind == .https else { return }
        trust = request.trust?.key
        resumesSessions = request.trust.map { !$0.answerCanChange } ?? true
        identity = request.identity
        tls = request.options.tls
        if tls.roots == nil { tls.roots = .system }
    }
}
