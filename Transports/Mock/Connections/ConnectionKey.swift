internal import AirframeTransport

/// The properties that requests must have in common to share a connection.
struct ConnectionKey: Sendable, Hashable {
    let origin: Origin
    let httpVersion: HTTPVersion
    let trust: TrustKey?
    let identity: ClientIdentity?
    let tls: TLSOptions
    let proxy: ProxyPolicy?
    let unixSocketPath: String?
    let localAddress: String?
    let networkInterface: String?
    let resolveOverrides: [ResolveOverride]?

    init(_ request: TransportRequest, origin: Origin, httpVersion: HTTPVersion) {
        self.origin = origin
        self.httpVersion = httpVersion
        trust = origin.isSecure ? request.trust?.key : nil
        identity = origin.isSecure ? request.identity : nil
        tls = origin.isSecure ? request.options.tls : TLSOptions()
        proxy = request.options.proxy
        unixSocketPath = request.options.unixSocketPath
        localAddress = request.options.localAddress
        networkInterface = request.options.networkInterface
        resolveOverrides = request.options.resolveOverrides
    }
}
