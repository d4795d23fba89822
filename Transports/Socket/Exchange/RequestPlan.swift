internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes

/// A request that has been made ready: where it goes, by which way, and what its head consists of. The bytes of the
/// head depend on the version that the connection speaks, and so they are written by its stream.
///
/// It lives in its exchange and is used where it lies: a value of this size costs as much to copy as a small request
/// costs in all. So it holds of the request what the exchange needs, and no more.
struct RequestPlan: Sendable {
    /// The request's head as the caller gave it, and what goes with it.
    let head: RequestHead
    let options: TransportOptions
    let trust: (any TrustEvaluation)?
    let identity: ClientIdentity?
    let uploadGate: UploadGate?
    let priorityUpdates: PriorityUpdates?
    /// The priority that the head carries.
    let priority: RequestPriority?
    /// The priority at which the request waits for a connection; `nil` for that of its task.
    let queuePriority: TaskPriority?
    let destination: Destination
    let route: ProxyRoute
    /// Whether a proxy gets the request itself.
    let isForwarded: Bool
    /// Which versions of HTTP the connection may speak.
    let offer: VersionOffer
    let key: PoolKey
    /// Where connections are whose server may accept extended CONNECT (RFC 8441), for a handshake that may use one.
    let extendedConnectKey: PoolKey?
    let content: RequestContent
    /// Whether the connection may turn out to carry several exchanges at once.
    let mayMultiplex: Bool

    var origin: Origin { destination.origin }
    var method: HTTPRequest.Method {
        if case .tunnel = head.upgrade { .connect } else { head.request.method }
    }

    /// Whether the request may be sent twice without harm (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        switch method {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }

    /// Checks `request` and makes it ready.
    ///
    /// - Throws: What makes the request impossible to send, before anything is sent.
    init(_ request: borrowing TransportRequest, _ engine: Engine) throws(TransportError) {
        destination = try engine.destinations.destination(of: request.head)
        // Most requests go where the environment sends them.
        if request.options.leavesRouteOpen, let known = destination.route {
            route = known
        } else {
            route = try Self.route(request.options, destination.origin, engine)
        }
        switch route {
        case .direct: isForwarded = false
        // A proxy that forwards would end an upgrade at itself (RFC 9110 §7.8).
        case .through: isForwarded = request.upgrade == nil && route.forwards(to: destination.origin)
        }
        let length: RequestContentLength
        if case .none = request.body.content, request.body.trailers == nil {
            content = .none
            length = .none
        } else {
            content = RequestContent(request.body)
            length = RequestContentLength(request.body)
        }
        if let upgrade = request.upgrade {
            do throws(UpgradeProtocol.InvalidHandshake) {
                _ = try upgrade.http1Head(of: request)
            } catch {
                throw Self.error(.invalidRequest, error.message, destination.origin)
            }
        }
        var expectsContinue = false
        var additionalFields: HTTPFields?
        priority = request.priorityUpdates?.latest ?? request.options.priority
        let leavesHeadOpen = request.options.leavesHeadOpen
        if isForwarded || !leavesHeadOpen || request.priorityUpdates != nil {
            if case .always = request.options.expectContinue { expectsContinue = true }
            additionalFields = Self.additionalFields(request.head, priority, isForwarded ? route.proxy : nil)
        }
        head = RequestHead(
            request.sharedHead,
            form: isForwarded ? .absolute : .origin,
            content: length,
            expectsContinue: expectsContinue,
            additionalFields: additionalFields ?? HTTPFields(),
            upgrade: request.upgrade,
            knownHost: destination.host
        )
        offer = try VersionOffer(request, destination.origin, isForwarded: isForwarded)
        key = PoolKey(request, destination, route, isForwarded: isForwarded, offer)
        extendedConnectKey = Self.extendedConnectKey(request, key, isForwarded: isForwarded)
        mayMultiplex = offer.mayMultiplex(isSecure: destination.isSecure)
        options = request.options
        trust = request.trust
        identity = request.identity
        uploadGate = request.uploadGate
        priorityUpdates = request.priorityUpdates
        queuePriority = request.queuePriority
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

    /// An error of this request, before any of it was sent.
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
        _ destination: Destination,
        _ route: ProxyRoute,
        isForwarded: Bool,
        _ offer: VersionOffer
    ) {
        // In the clear, HTTP/1.1 is spoken unless HTTP/2 is known to be understood.
        let offer = destination.isSecure || offer == .http2PriorKnowledge ? offer : .automatic
        if case .direct = route, !destination.isSecure, request.options.leavesPlaceOpen, offer == .automatic {
            self.init(destination: destination, variant: nil)
            return
        }
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
