internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes

/// A validated request: its destination, route and head. The stream encodes the head, because its bytes depend on the
/// connection's HTTP version.
///
/// The plan is stored in its exchange and used in place. It refers to the request's storage, since a copy
/// of each part that the exchange needs would take 14 reference counts.
struct RequestPlan: ~Copyable, Sendable {
    private let request: TransportRequest
    /// The caller's request head, with the additional information that encoding needs.
    let head: RequestHead
    /// The priority in the head.
    let priority: RequestPriority?
    let destination: Destination
    let route: ProxyRoute
    /// Whether a proxy forwards the request, rather than tunnelling it.
    let isForwarded: Bool
    /// The HTTP versions that the connection may speak.
    let offer: VersionOffer
    let key: PoolKey
    /// The key of connections whose server may accept extended CONNECT (RFC 8441), for a handshake that may use one.
    let extendedConnectKey: PoolKey?
    let content: RequestContent
    /// Whether the connection may carry several exchanges at once.
    let mayMultiplex: Bool

    var options: TransportOptions { request.options }
    var trust: (any TrustEvaluation)? { request.trust }
    var identity: ClientIdentity? { request.identity }
    var uploadGate: UploadGate? { request.uploadGate }
    var priorityUpdates: PriorityUpdates? { request.priorityUpdates }
    /// The priority at which the request waits for a connection; `nil` for its task's priority.
    var queuePriority: TaskPriority? { request.queuePriority }
    var origin: Origin { destination.origin }
    var method: HTTPRequest.Method {
        if case .tunnel = head.upgrade { .connect } else { head.request.method }
    }

    /// Whether the request's method is idempotent (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        switch method {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }

    /// Validates `request` and plans how to send it.
    ///
    /// - Throws: A ``TransportError`` if the request cannot be sent. Nothing has been sent then.
    init(_ request: TransportRequest, _ traits: RequestTraits, _ engine: Engine) throws(TransportError) {
        let destination = try engine.destinations.destination(of: request.sharedHead.head)
        // The destination stores the route by the environment's proxies.
        let route: ProxyRoute
        if !traits.choosesRoute, let known = destination.route {
            route = known
        } else {
            route = try Self.route(request.options, destination.origin, engine)
        }
        let isForwarded =
            switch route {
            case .direct: false
            // A forwarding proxy would terminate the upgrade itself (RFC 9110 §7.8).
            case .through: !traits.hasUpgrade && route.forwards(to: destination.origin)
            }
        if traits.hasUpgrade, let upgrade = request.upgrade {
            do throws(UpgradeProtocol.InvalidHandshake) {
                _ = try upgrade.http1Head(of: request)
            } catch {
                throw Self.error(.invalidRequest, error.message, destination.origin)
            }
        }
        let offer = try VersionOffer(request, traits, destination, isForwarded: isForwarded)
        let key = PoolKey(request, traits, destination, route, isForwarded: isForwarded, offer)
        extendedConnectKey =
            traits.hasUpgrade ? Self.extendedConnectKey(request, key, isForwarded: isForwarded) : nil
        mayMultiplex = offer.mayMultiplex(isSecure: destination.isSecure)
        let length: RequestContentLength
        if !traits.hasContent {
            content = .none
            length = .none
        } else {
            content = RequestContent(request.body)
            length = RequestContentLength(request.body)
        }
        var expectsContinue = false
        var additionalFields: HTTPFields?
        if isForwarded || traits.changesHead || traits.hasPriorityUpdates {
            priority = request.priorityUpdates?.latest ?? request.options.priority
            if case .always = request.options.expectContinue { expectsContinue = true }
            additionalFields = Self.additionalFields(request.head, priority, isForwarded ? route.proxy : nil)
        } else {
            priority = nil
        }
        head = RequestHead(
            request.sharedHead,
            form: isForwarded ? .absolute : .origin,
            content: length,
            expectsContinue: expectsContinue,
            additionalFields: additionalFields ?? HTTPFields(),
            upgrade: traits.hasUpgrade ? request.upgrade : nil,
            destination: destination
        )
        self.request = request
        self.offer = offer
        self.key = key
        self.destination = destination
        self.route = route
        self.isForwarded = isForwarded
    }

    private static func extendedConnectKey(
        _ request: borrowing TransportRequest,
        _ key: PoolKey,
        isForwarded: Bool
    ) -> PoolKey? {
        guard case .token = request.upgrade, !isForwarded, key.destination.isSecure,
            (request.options.httpVersion ?? .automatic) == .automatic
        else { return nil }
        return key.withAutomaticVersion
    }

    private static func route(
        _ options: TransportOptions,
        _ origin: Origin,
        _ engine: Engine
    ) throws(TransportError) -> ProxyRoute {
        guard options.leavesPlaceOpen || options.unixSocketPath == nil else { return .direct }
        return try ProxyRoute.route(to: origin, by: options.proxy ?? .environment, engine.environment)
    }

    private static func error(_ code: TransportError.Code, _ message: String, _ origin: Origin) -> TransportError {
        TransportError(code, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    private static func additionalFields(
        _ head: HTTPRequest,
        _ priority: RequestPriority?,
        _ proxy: Proxy?
    ) -> HTTPFields? {
        guard proxy != nil || priority != nil else { return nil }
        var fields = HTTPFields()
        if let priority, let name = HTTPField.Name("priority"), !head.headerFields.contains(name) {
            fields.append(HTTPField(name: name, value: priority.fieldValue))
        }
        if let credential = proxy?.credential, !head.headerFields.contains(.proxyAuthorization) {
            fields.append(HTTPField(name: .proxyAuthorization, value: credential.basicAuthorization))
        }
        return fields
    }

    /// Returns an error for this request, of which nothing has been sent.
    func error(
        _ code: TransportError.Code,
        phase: TransportPhase,
        message: String,
        library: String? = nil,
        underlying: (any Error)? = nil
    ) -> TransportError {
        TransportError(
            code,
            phase: phase,
            processing: .notSent,
            message: message,
            origin: origin,
            libraryMessage: library,
            underlying: underlying
        )
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
            return
        }
        let dependsOnOptions = !traits.hasUpgrade && !traits.hasTrust && !traits.hasIdentity
        if dependsOnOptions, let known = destination.keyMemory.key(of: destination, for: request.options) {
            self = known
            return
        }
        self.init(request, destination, route, isForwarded: isForwarded, offer: offer)
        if dependsOnOptions { destination.keyMemory.keep(self, for: request.options) }
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
