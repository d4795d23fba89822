internal import AirframeTransport
internal import AirframeWire

/// The way of a request to its server: the destination, the proxy, and the connections that may carry it.
///
/// An object, because the requests of a session to one server have the same route, which their plans share. To derive
/// it took 500 instructions per request, and its parts 14 reference counts.
final class RequestRoute: Sendable {
    let destination: Destination
    let proxy: ProxyRoute
    /// Whether a proxy forwards the request, rather than tunnelling it.
    let isForwarded: Bool
    /// The HTTP versions that the connection may speak.
    let offer: VersionOffer
    let key: PoolKey
    /// Whether the connection may carry several concurrent exchanges.
    let mayMultiplex: Bool

    /// Derives the route of a request.
    ///
    /// - Throws: A ``TransportError`` if the options exclude each other on the way to the origin, or the environment's
    ///   proxies are malformed.
    init(
        _ request: borrowing TransportRequest,
        _ traits: RequestTraits,
        to destination: Destination,
        _ environment: EnvironmentProxies
    ) throws(TransportError) {
        // The destination stores the route by the environment's proxies.
        if !traits.choosesRoute, let known = destination.route {
            proxy = known
        } else {
            proxy = try Self.proxy(request.options, destination.origin, environment)
        }
        isForwarded =
            switch proxy {
            case .direct: false
            // A forwarding proxy would terminate the upgrade itself (RFC 9110 §7.8).
            case .through: !traits.hasUpgrade && proxy.forwards(to: destination.origin)
            }
        offer = try VersionOffer(request, traits, destination, isForwarded: isForwarded)
        key = PoolKey(request, traits, destination, proxy, isForwarded: isForwarded, offer)
        mayMultiplex = offer.mayMultiplex(isSecure: destination.isSecure)
        self.destination = destination
    }

    private static func proxy(
        _ options: TransportOptions,
        _ origin: Origin,
        _ environment: EnvironmentProxies
    ) throws(TransportError) -> ProxyRoute {
        guard options.leavesPlaceOpen || options.unixSocketPath == nil else { return .direct }
        return try ProxyRoute.route(to: origin, by: options.proxy ?? .environment, environment)
    }
}

extension PoolKey {
    fileprivate init(
        _ request: borrowing TransportRequest,
        _ traits: RequestTraits,
        _ destination: Destination,
        _ route: ProxyRoute,
        isForwarded: Bool,
        _ offer: VersionOffer
    ) {
        // Without TLS, connections speak HTTP/1.1 unless the caller has prior knowledge of HTTP/2.
        let offer = destination.isSecure || offer == .http2PriorKnowledge ? offer : .automatic
        if case .direct = route, !destination.isSecure, !traits.choosesPlace, offer == .automatic {
            self.init(destination: destination, box: nil)
        } else {
            self.init(request, destination, route, isForwarded: isForwarded, offer: offer)
        }
    }

    /// Derives the key of a request with options of its own.
    private init(
        _ request: borrowing TransportRequest,
        _ destination: Destination,
        _ route: ProxyRoute,
        isForwarded: Bool,
        offer: VersionOffer
    ) {
        let origin = destination.origin
        let options = request.options
        var variant = Variant()
        variant.proxy = route.proxy
        variant.isForwarded = isForwarded
        variant.offer = offer
        if origin.isSecure || route.proxy?.kind == .https {
            variant.trust = request.trust?.key
            variant.identity = request.identity
            variant.tls = options.tls
            if variant.tls.roots == .system { variant.tls.roots = nil }
        }
        variant.resolveOverrides = options.resolveOverrides ?? []
        variant.localAddress = options.localAddress
        variant.networkInterface = options.networkInterface
        variant.unixSocketPath = options.unixSocketPath
        variant.socket = options.socket
        self.init(destination: destination, variant: variant == Variant() ? nil : variant)
    }
}
