internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A request that has been checked and made ready: where it goes, by which way, and the bytes of its head.
///
/// It lives in its exchange and is used where it lies: a value of this size costs as much to copy as a small request
/// costs in all. So it holds of the request what the exchange needs, and no more.
struct RequestPlan: Sendable {
    /// The request's head as the caller gave it.
    let request: HTTPRequest
    let options: TransportOptions
    let trust: (any TrustEvaluation)?
    let identity: ClientIdentity?
    let uploadGate: UploadGate?
    let destination: Destination
    let route: ProxyRoute
    /// Whether a proxy gets the request itself.
    let isForwarded: Bool
    let key: PoolKey
    let content: RequestContent
    let framing: HTTP1RequestContent
    /// The head as it goes on the wire.
    let head: [UInt8]
    /// What the head says about the exchange.
    let outcome: HTTP1RequestWriter.Outcome
    /// The protocol that the caller asks to speak on the connection.
    let upgrade: UpgradeProtocol?

    var origin: Origin { destination.origin }
    var method: HTTPRequest.Method { outcome.kind == .connect ? .connect : request.method }

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
        if case .none = request.body.content, request.body.trailers == nil {
            content = .none
            framing = .none
        } else {
            content = RequestContent(request.body)
            framing = HTTP1RequestContent(request.body)
        }
        var description = HTTP1RequestHead(request.head, form: isForwarded ? .absolute : .origin, content: framing)
        description.knownHost = destination.host
        if let upgrade = request.upgrade {
            do throws(UpgradeProtocol.InvalidHandshake) {
                description.request = try upgrade.http1Head(of: request)
            } catch {
                throw Self.error(.invalidRequest, error.message, destination.origin)
            }
        }
        let leavesHeadOpen = request.options.leavesHeadOpen
        if isForwarded || !leavesHeadOpen {
            if case .always = request.options.expectContinue { description.expectsContinue = true }
            if let fields = Self.additionalFields(request.head, request.options, isForwarded ? route.proxy : nil) {
                description.additionalFields = fields
            }
        }
        var head: [UInt8] = []
        do throws(HTTP1Violation) {
            outcome = try description.write(to: &head)
        } catch {
            throw Self.error(error.code, error.message, destination.origin)
        }
        self.head = head
        if case .connect = outcome.kind, request.upgrade == nil {
            let message = "CONNECT opens a tunnel: set the request's `upgrade` to `.tunnel(to:)`"
            throw Self.error(.invalidRequest, message, destination.origin)
        }
        key = PoolKey(request, destination, route, isForwarded: isForwarded)
        self.request = request.head
        options = request.options
        trust = request.trust
        identity = request.identity
        uploadGate = request.uploadGate
        upgrade = request.upgrade
    }

    private static func route(
        _ options: TransportOptions,
        _ origin: Origin,
        _ engine: Engine
    ) throws(TransportError) -> ProxyRoute {
        switch options.httpVersion {
        case nil, .automatic, .http1Only: break
        case .http2Only, .http2PriorKnowledge:
            let message = "the transport \(SocketTransport.engineName) does not support HTTP/2"
            throw error(.unsupportedOption, message, origin)
        }
        guard options.leavesPlaceOpen || options.unixSocketPath == nil else { return .direct }
        return try ProxyRoute.route(to: origin, by: options.proxy, engine.environment)
    }

    private static func error(_ code: TransportError.Code, _ message: String, _ origin: Origin) -> TransportError {
        TransportError(code, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    private static func additionalFields(
        _ head: HTTPRequest,
        _ options: TransportOptions,
        _ proxy: Proxy?
    ) -> HTTPFields? {
        guard proxy != nil || options.priority != nil else { return nil }
        var fields = HTTPFields()
        if let priority = options.priority, let name = HTTPField.Name("priority"), !head.headerFields.contains(name) {
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

extension RequestPriority {
    /// The value of the `priority` field (RFC 9218 §4): parameters at their defaults are left out.
    fileprivate var fieldValue: String {
        isIncremental ? "u=\(urgency), i" : "u=\(urgency)"
    }
}

extension PoolKey {
    fileprivate init(
        _ request: borrowing TransportRequest,
        _ destination: Destination,
        _ route: ProxyRoute,
        isForwarded: Bool
    ) {
        if case .direct = route, !destination.isSecure, request.options.leavesPlaceOpen {
            self.init(destination: destination, variant: nil)
            return
        }
        let origin = destination.origin
        let options = request.options
        var variant = Variant()
        variant.proxy = route.proxy
        variant.isForwarded = isForwarded
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
        self.init(destination: destination, variant: variant == Variant() ? nil : variant)
    }
}
