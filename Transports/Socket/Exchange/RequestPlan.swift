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
    let way: RequestRoute
    /// The key of connections whose server may accept extended CONNECT (RFC 8441), for a handshake that may use one.
    let extendedConnectKey: PoolKey?
    let content: RequestContent

    var destination: Destination { way.destination }
    var route: ProxyRoute { way.proxy }
    /// Whether a proxy forwards the request, rather than tunnelling it.
    var isForwarded: Bool { way.isForwarded }
    /// The HTTP versions that the connection may speak.
    var offer: VersionOffer { way.offer }
    var key: PoolKey { way.key }
    /// Whether the connection may carry several concurrent exchanges.
    var mayMultiplex: Bool { way.mayMultiplex }
    var options: TransportOptions { request.options }
    var trust: (any TrustEvaluation)? { request.trust }
    var identity: ClientIdentity? { request.identity }
    var uploadGate: UploadGate? { request.uploadGate }
    var priorityUpdates: PriorityUpdates? { request.priorityUpdates }
    /// The priority at which the request waits for a connection; `nil` for its task's priority.
    var queuePriority: TaskPriority? { request.queuePriority }
    var origin: Origin { way.destination.origin }
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
    init(
        _ request: TransportRequest,
        _ traits: RequestTraits,
        _ destinations: DestinationTable
    ) throws(TransportError) {
        let way = try destinations.route(of: request, traits)
        if traits.hasUpgrade, let upgrade = request.upgrade {
            do throws(UpgradeProtocol.InvalidHandshake) {
                _ = try upgrade.http1Head(of: request)
            } catch {
                throw Self.error(.invalidRequest, error.message, way.destination.origin)
            }
        }
        extendedConnectKey =
            traits.hasUpgrade ? Self.extendedConnectKey(request, way.key, isForwarded: way.isForwarded) : nil
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
        if way.isForwarded || traits.changesHead || traits.hasPriorityUpdates {
            priority = request.priorityUpdates?.latest ?? request.options.priority
            if case .always = request.options.expectContinue { expectsContinue = true }
            additionalFields = Self.additionalFields(request.head, priority, way.isForwarded ? way.proxy.proxy : nil)
        } else {
            priority = nil
        }
        head = RequestHead(
            request.sharedHead,
            form: way.isForwarded ? .absolute : .origin,
            content: length,
            expectsContinue: expectsContinue,
            additionalFields: additionalFields,
            upgrade: traits.hasUpgrade ? request.upgrade : nil,
            destination: way.destination
        )
        self.request = request
        self.way = way
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
