internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A request that has been checked and made ready: where it goes, by which way, and the bytes of its head.
///
/// A class, because a value of this size costs as much to copy as a small request costs in all.
final class RequestPlan: Sendable {
    let request: TransportRequest
    let destination: Destination
    let route: ProxyRoute
    let key: PoolKey
    let content: RequestContent
    /// The head as it goes on the wire.
    let head: [UInt8]
    /// What the head says about the exchange.
    let outcome: HTTP1RequestWriter.Outcome
    /// Whether the caller can take a stream for an answer.
    let isUpgrade: Bool

    var origin: Origin { destination.origin }
    var method: HTTPRequest.Method { request.head.method }
    var options: TransportOptions { request.options }

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
    init(_ request: TransportRequest, _ engine: Engine, isUpgrade: Bool) throws(TransportError) {
        let options = request.options
        destination = try engine.destinations.destination(of: request.head)
        let origin = destination.origin
        try Self.checkVersion(options, origin)
        self.isUpgrade = isUpgrade
        route =
            options.leavesPlaceOpen || options.unixSocketPath == nil
            ? try ProxyRoute.route(to: origin, by: options.proxy, engine.environment) : .direct
        content = RequestContent(request.body)
        let isForwarded = route.forwards(to: origin)
        var description = HTTP1RequestHead(
            request.head,
            form: isForwarded ? .absolute : .origin,
            content: HTTP1RequestContent(request.body)
        )
        description.knownHost = destination.host
        if case .always = options.expectContinue { description.expectsContinue = true }
        if let fields = Self.additionalFields(request, isForwarded ? route.proxy : nil) {
            description.additionalFields = fields
        }
        var head: [UInt8] = []
        outcome = try HTTP1RequestWriter.write(description, to: &head, origin: origin)
        self.head = head
        try Self.checkUpgrade(request, outcome.kind, isUpgrade, origin)
        key = PoolKey(request, destination, route)
        self.request = request
    }

    private static func checkVersion(_ options: TransportOptions, _ origin: Origin) throws(TransportError) {
        switch options.httpVersion {
        case nil, .automatic, .http1Only: return
        case .http2Only, .http2PriorKnowledge:
            throw TransportError(
                .unsupportedOption,
                phase: .options,
                processing: .notSent,
                message: "the transport \(SocketTransport.engineName) does not support HTTP/2",
                origin: origin
            )
        }
    }

    private static func checkUpgrade(
        _ request: TransportRequest,
        _ kind: HTTP1RequestKind,
        _ isUpgrade: Bool,
        _ origin: Origin
    ) throws(TransportError) {
        let message: String
        switch (isUpgrade, kind) {
        case (false, .connect): message = "CONNECT makes a tunnel, not an exchange"
        case (true, .ordinary), (true, .head):
            message = "the request has no Upgrade field, and its method is not CONNECT"
        case (true, _) where !request.body.isNone: message = "a request for an upgrade has no body"
        default: return
        }
        throw TransportError(
            .invalidRequest,
            phase: .options,
            processing: .notSent,
            message: message,
            origin: origin
        )
    }

    private static func additionalFields(_ request: TransportRequest, _ proxy: Proxy?) -> HTTPFields? {
        guard proxy != nil || request.options.priority != nil else { return nil }
        var fields = HTTPFields()
        if let priority = request.options.priority, let name = HTTPField.Name("priority"),
            !request.head.headerFields.contains(name)
        {
            fields.append(HTTPField(name: name, value: priority.fieldValue))
        }
        if let credential = proxy?.credential, !request.head.headerFields.contains(.proxyAuthorization) {
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
    fileprivate init(_ request: borrowing TransportRequest, _ destination: Destination, _ route: ProxyRoute) {
        let origin = destination.origin
        let options = request.options
        if case .direct = route, !origin.isSecure, options.leavesPlaceOpen {
            self.init(destination: destination, variant: nil)
            return
        }
        var variant = Variant()
        variant.proxy = route.proxy
        variant.isForwarded = route.forwards(to: origin)
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
