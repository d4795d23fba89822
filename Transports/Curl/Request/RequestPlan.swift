internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes

/// A request that has been checked and prepared on the caller's thread, so that the loop has less to do.
///
/// A class, because it has some thirty members and is passed on several times for each request.
final class RequestPlan: Sendable {
    let request: TransportRequest
    let method: HTTPRequest.Method
    let origin: Origin
    let url: String
    /// The request target that replaces the URL's path: `*` for `OPTIONS` (RFC 9112 §3.2.4).
    let target: String?
    let headers: HeaderList
    let body: RequestContent
    let httpVersion: HTTPVersionPolicy
    let route: ProxyRoute
    /// The handshake that libcurl performs; `nil` when there is none for the request's origin.
    let authentication: ConnectionAuthentication?
    let contextKey: ContextKey
    /// The purpose that libcurl's handle is set up for.
    let purpose: EasyHandle.Purpose
    /// The origin's host, if it is a name that has to be looked up.
    private let lookedUpHost: String?

    var options: TransportOptions { request.options }

    /// Whether the request may be sent twice without harm (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        switch method {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }

    /// Whether the head asks the server before the body is sent.
    var expectsContinue: Bool {
        if case .always = options.expectContinue, !body.isEmpty { return true }
        return request.head.headerFields.contains(.expect)
    }

    /// Checks and prepares `request`.
    ///
    /// - Throws: The reason why the request cannot be sent.
    init(
        _ request: TransportRequest,
        memo: OriginMemo,
        _ environment: EnvironmentProxies
    ) throws(TransportError) {
        method = request.head.method
        let address = try RequestAddress(request.head, memo: memo)
        origin = address.origin
        url = address.url
        target = address.target
        guard method != .connect else {
            throw Self.invalid("CONNECT opens a tunnel and is not an exchange", address.origin)
        }
        if request.options.unixSocketPath == nil {
            route = try ProxyRoute.route(to: address.origin, by: request.options.proxy ?? .environment, environment)
        } else {
            route = .direct
        }
        try Self.checkOverrides(of: request.options, origin: address.origin, route: route)
        authentication = try Self.authentication(of: request, origin: address.origin, route: route)
        httpVersion = try Self.httpVersion(
            of: request,
            origin: address.origin,
            isForwarded: route.forwards(to: address.origin),
            authenticates: authentication != nil
        )
        body = try RequestContent(request, origin: address.origin)
        headers = try RequestFields(
            request,
            body: body,
            origin: address.origin,
            isForwarded: route.forwards(to: address.origin)
        ).list
        contextKey = ContextKey(
            request,
            origin: address.origin,
            route: route,
            httpVersion: httpVersion,
            authentication: authentication
        )
        lookedUpHost = address.lookedUpName
        let isPlain =
            method == .get && body.isNone && target == nil && route.isDirect && request.options.leavesPlaceOpen
            && authentication == nil
        purpose = isPlain ? .plain(isSecure: origin.isSecure) : .particular
        // Last, so that the request is moved and not copied.
        self.request = request
    }

    private static func httpVersion(
        of request: TransportRequest,
        origin: Origin,
        isForwarded: Bool,
        authenticates: Bool
    ) throws(TransportError) -> HTTPVersionPolicy {
        let policy = request.options.httpVersion ?? .automatic
        if policy == .http2Only, !origin.isSecure {
            throw unsupported("HTTP/2 is negotiated during TLS; use .http2PriorKnowledge for \(origin)", origin)
        }
        // libcurl would send the request over HTTP/1.1.
        if policy == .http2PriorKnowledge, isForwarded {
            throw unsupported("the proxy forwards over HTTP/1.1 only, and the request requires HTTP/2", origin)
        }
        guard request.body.trailers != nil || authenticates else { return policy }
        switch policy {
        case .automatic, .http1Only:
            return .http1Only
        case .http2Only, .http2PriorKnowledge:
            let name = authenticates ? "performs Negotiate and NTLM" : "sends trailers"
            throw unsupported("libcurl \(name) over HTTP/1.1 only, and the request asks for HTTP/2", origin)
        }
    }

    /// A host whose addresses libcurl needs, and the port that it connects to.
    struct LookedUpName {
        let host: String
        let port: Int
    }

    /// The names that the engine looks up for a new connection, starting with the one to connect to. SOCKS proxies of
    /// versions 4 and 5 get the address of the server as well, not its name.
    var lookedUpNames: [LookedUpName] {
        guard options.unixSocketPath == nil else { return [] }
        let server = lookedUpHost.map { LookedUpName(host: $0, port: origin.port) }
        guard let proxy = route.proxy else { return server.map { [$0] } ?? [] }
        var names: [LookedUpName] = []
        if OriginMemo.needsLookup(proxy.host) { names.append(LookedUpName(host: proxy.host, port: proxy.port)) }
        if proxy.kind == .socks4 || proxy.kind == .socks5, let server { names.append(server) }
        return names
    }

    static func invalid(_ message: String, _ origin: Origin?) -> TransportError {
        TransportError(.invalidRequest, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    static func unsupported(_ message: String, _ origin: Origin?) -> TransportError {
        TransportError(.unsupportedOption, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    /// An error of this request, by default one from before any of it was sent.
    func error(
        _ code: TransportError.Code,
        phase: TransportPhase,
        processing: TransportError.Processing = .notSent,
        message: String,
        library: String? = nil
    ) -> TransportError {
        TransportError(
            code,
            phase: phase,
            processing: processing,
            message: message,
            origin: origin,
            libraryMessage: library
        )
    }
}
