public import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// Sends stored cookies and stores those of responses (RFC 6265bis), so that no engine has to.
///
/// The layer belongs beneath redirects and authentication, so that the cookies of every hop and every challenge count.
/// Stored cookies are added to a `Cookie` field of the request, except for names that the field has.
///
/// ```swift
/// let transport = RedirectLayer(AuthenticationLayer(CookieLayer(engine)))
/// ```
public struct CookieLayer: ResponseProcessingLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The cookies.
    public let storage: HTTPCookieStorage
    /// Whether stored cookies are sent.
    public let sendsCookies: Bool
    /// The cookies of responses that are stored, in addition to the storage's policy.
    public let acceptPolicy: HTTPCookie.AcceptPolicy

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - storage: The cookies, by default a new storage in memory.
    ///   - sendsCookies: Whether stored cookies are sent.
    ///   - acceptPolicy: The cookies of responses that are stored, in addition to the storage's policy.
    public init(
        _ base: any Transport,
        storage: HTTPCookieStorage = HTTPCookieStorage(),
        sendsCookies: Bool = true,
        acceptPolicy: HTTPCookie.AcceptPolicy = .always
    ) {
        self.base = base
        self.storage = storage
        self.sendsCookies = sendsCookies
        self.acceptPolicy = acceptPolicy
    }

    /// Whether there may be cookies to send: the request has settings, or the jar has cookies.
    public func mustPerform(_ request: TransportRequest) -> Bool { request.hasValues || !storage.jar.isEmpty }

    /// Whether the response has cookies, or a newer response, which may have some, will follow it.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code.
    ///   - request: The request, as it was sent.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool {
        response.setsCookies || response.revalidation != nil
    }

    /// Stores the cookies of the response, and returns the response. Throws no error.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        receive(response, for: request, CookieExchange(self, request))
        return response
    }

    /// Sends `request` with the cookies for it, and stores those of the response.
    ///
    /// - Throws: The errors of the transport beneath.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let exchange = CookieExchange(self, request)
        guard exchange.isHandled else { return try await base.send(request) }
        let response = try await base.send(adding(exchange, to: request))
        receive(response, for: request, exchange)
        return response
    }

    // MARK: Sending

    private func adding(_ exchange: CookieExchange, to request: TransportRequest) -> TransportRequest {
        guard sendsCookies, !exchange.jar.isEmpty, let cookieRequest = exchange.request else { return request }
        let own = request.head.headerFields[values: .cookie]
        let stored = exchange.jar.cookiesToSend(for: cookieRequest, at: date)
        let cookies = selected(stored, for: request, with: own, exchange)
        guard !cookies.isEmpty else { return request }
        var request = request
        // HTTP/1.1 permits only one field (RFC 6265bis §5.8.1).
        var field = HTTPField(name: .cookie, value: (own + cookies.map(\.pair)).joined(separator: "; "))
        field.indexingStrategy = .disallow
        request.head.headerFields[fields: .cookie] = [field]
        let count = cookies.count == 1 ? "1 stored cookie" : "\(cookies.count) stored cookies"
        report(
            .sentCookies(names: cookies.map(\.name)), "\(count) for \(cookieRequest.host)\(cookieRequest.path)", request
        )
        return request
    }

    /// Returns the stored cookies that the request's filter accepts, except cookies that its own fields name as well.
    private func selected(
        _ stored: [HTTPCookie],
        for request: TransportRequest,
        with own: [String],
        _ exchange: CookieExchange
    ) -> [HTTPCookie] {
        var cookies = stored
        if let filter = exchange.filter { cookies.removeAll { !filter($0, .send, request.head) } }
        guard !own.isEmpty else { return cookies }
        let names = Set(own.flatMap(Self.names))
        cookies.removeAll { names.contains($0.name) }
        return cookies
    }

    /// The names of a `Cookie` field's cookies.
    private static func names(in field: String) -> [String] {
        field.split(separator: ";").map { pair in
            let name = pair.firstIndex(of: "=").map { pair[..<$0] } ?? ""
            return String(name.drop { $0 == " " || $0 == "\t" })
        }
    }

    // MARK: Storing

    /// Stores the cookies of a response, and later those of the response that replaces a stale one in the cache.
    private func receive(_ response: TransportResponse, for request: TransportRequest, _ exchange: CookieExchange) {
        if response.setsCookies { store(response.head, for: request, exchange) }
        response.revalidation?.onHead { head in
            guard head.headerFields.contains(.setCookie) else { return }
            store(head, for: request, CookieExchange(self, request))
        }
    }

    private func store(_ head: HTTPResponse, for request: TransportRequest, _ exchange: CookieExchange) {
        guard let cookieRequest = exchange.request else { return }
        let outcomes = exchange.jar.receive(
            head.headerFields[values: .setCookie], for: cookieRequest, at: date
        ) { cookie throws(CookieRejection.Reason) in
            guard exchange.isAccepted else { throw .policy }
            if let filter = exchange.filter, !filter(cookie, .store, request.head) { throw .closure }
        }
        guard request.events != nil else { return }
        let status = head.status.code
        for outcome in outcomes {
            switch outcome {
            case .stored(let cookie):
                let life = cookie.isSessionOnly ? "a session cookie" : "a persistent cookie"
                report(
                    .storedCookie(name: cookie.name, domain: cookie.domain), "\(life), with status \(status)", request)
            case .deleted(let cookie):
                report(.storedCookie(name: cookie.name, domain: cookie.domain), "its expiry is in the past", request)
            case .rejected(let rejection):
                report(
                    .rejectedCookie(name: rejection.name, domain: rejection.domain), rejection.reason.words, request)
            }
        }
    }

    private var date: Date { clock.date(at: clock.now) }

    private func report(_ kind: TransportDecision.Kind, _ reason: String, _ request: TransportRequest) {
        request.report(kind, because: reason, on: clock)
    }
}

extension CookieLayer: StoredCookieSource {
    /// Returns the cookies that ``perform(_:)`` would add to `request`.
    package func storedCookies(for request: TransportRequest) -> [String] {
        let exchange = CookieExchange(self, request)
        guard sendsCookies, exchange.isHandled, let cookieRequest = exchange.request else { return [] }
        let stored = exchange.jar.cookies(for: cookieRequest, at: date)
        return selected(stored, for: request, with: request.head.headerFields[values: .cookie], exchange).map(\.pair)
    }
}

extension TransportResponse {
    /// Whether the cookies of the response are stored. Those of a cached response were stored when it was received, and
    /// may have changed since.
    fileprivate var setsCookies: Bool { sharedHead.has(.setCookie) && source != .cache }
}
