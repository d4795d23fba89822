internal import AirframeTransport
internal import AirframeWire

/// What must be equal for two requests to share connections.
///
/// libcurl compares hosts, ports, proxies and local ends by itself. What it cannot see is here: who judged the server,
/// as whom we appeared, which roots, versions and algorithms were
/// allowed, where names led to, and what the kernel was told of sockets. Each key has a connection cache, a
/// DNS cache and a TLS session cache of its own.
struct ContextKey: Sendable, Equatable {
    var trust: TrustKey?
    /// Whether later handshakes may resume TLS sessions. A resumed handshake shows no certificates that an evaluation
    /// could be asked about again, and libcurl offers no way to ask before it: an evaluation whose answer can change is
    /// asked in a full handshake each time.
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
