internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A request that has been checked and made ready to be sent: what the caller's thread can do, so that the loop need
/// not.
///
/// A class, because it has some thirty members and is handed on several times for each request.
final class RequestPlan: Sendable {
    let request: TransportRequest
    let method: HTTPRequest.Method
    let origin: Origin
    let url: String
    /// What stands in the request line in place of the URL's path: `*` for `OPTIONS` (RFC 9112 §3.2.4).
    let target: String?
    let headers: HeaderList
    let body: RequestContent
    let httpVersion: HTTPVersionPolicy
    let route: ProxyRoute
    let contextKey: ContextKey
    /// What a handle of libcurl's is to be set up for, to send it.
    let purpose: EasyHandle.Purpose
    /// The name that the system's resolver is to be asked for; `nil` when there is none to ask.
    let lookedUpName: String?

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
        if case .always = options.expectContinue { return true }
        return request.head.headerFields.contains(.expect)
    }

    /// Checks `request` and makes it ready.
    ///
    /// - Throws: What makes the request impossible to send, before anything is sent.
    init(_ request: TransportRequest, memo: OriginMemo) throws(TransportError) {
        method = request.head.method
        let address = try RequestAddress(request.head, memo: memo)
        origin = address.origin
        url = address.url
        target = address.target
        guard method != .connect else {
            throw Self.invalid("CONNECT makes a tunnel, not an exchange", address.origin)
        }
        httpVersion = try Self.httpVersion(of: request, origin: address.origin)
        route = try ProxyRoute.route(to: address.origin, by: request.options.proxy ?? .environment)
        body = try RequestContent(request, origin: address.origin)
        headers = try RequestFields(
            request,
            body: body,
            origin: address.origin,
            isForwarded: route.forwards(to: address.origin)
        ).list
        contextKey = ContextKey(request, origin: address.origin, route: route, httpVersion: httpVersion)
        lookedUpName = Self.lookedUpName(request, address, route: route)
        let isPlain =
            method == .get && body.isNone && target == nil && route.isDirect && request.options.leavesPlaceOpen
        purpose = isPlain ? .plain(isSecure: origin.isSecure) : .particular
        // Last, so that it need not be copied.
        self.request = request
    }

    private static func httpVersion(
        of request: TransportRequest,
        origin: Origin
    ) throws(TransportError) -> HTTPVersionPolicy {
        let policy = request.options.httpVersion ?? .automatic
        if policy == .http2Only, !origin.isSecure {
            throw unsupported("HTTP/2 is agreed on during TLS; for \(origin) use .http2PriorKnowledge", origin)
        }
        guard request.body.trailers != nil else { return policy }
        switch policy {
        case .automatic, .http1Only:
            return .http1Only
        case .http2Only, .http2PriorKnowledge:
            throw unsupported("libcurl sends trailers over HTTP/1.1 only, and HTTP/2 was asked for", origin)
        }
    }

    private static func lookedUpName(
        _ request: TransportRequest,
        _ address: RequestAddress,
        route: ProxyRoute
    ) -> String? {
        guard request.options.unixSocketPath == nil, request.options.resolveOverrides?.isEmpty ?? true else {
            return nil
        }
        guard let proxy = route.proxy else { return address.lookedUpName }
        return OriginMemo.needsLookup(proxy.host) ? proxy.host : nil
    }

    static func invalid(_ message: String, _ origin: Origin?) -> TransportError {
        TransportError(.invalidRequest, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    static func unsupported(_ message: String, _ origin: Origin?) -> TransportError {
        TransportError(.unsupportedOption, phase: .options, processing: .notSent, message: message, origin: origin)
    }

    /// An error of this request, before any of it was sent.
    func error(
        _ code: TransportError.Code,
        phase: TransportPhase,
        message: String,
        library: String? = nil
    ) -> TransportError {
        TransportError(
            code,
            phase: phase,
            processing: .notSent,
            message: message,
            origin: origin,
            libraryMessage: library
        )
    }
}
