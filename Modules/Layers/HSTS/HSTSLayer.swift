public import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// Upgrades requests to `https` for hosts with a policy of HTTP Strict Transport Security (RFC 6797).
///
/// A host's policy is stored when an authenticated server sends a `Strict-Transport-Security` field over TLS. From then
/// on `http` is rewritten to `https` before anything is sent, and a ``TransportDecision`` reports the reason. The layer
/// belongs beneath redirects, so that every hop is rewritten, and above authentication, so that credentials are never
/// sent in the clear.
///
/// ```swift
/// let transport = RedirectLayer(HSTSLayer(engine, store: .shared))
/// ```
public struct HSTSLayer: ResponseProcessingLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The store of policies.
    public let store: HSTSStore
    /// Whether every request is upgraded, to hosts without a policy as well.
    public let httpsOnly: Bool

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - store: The store of policies. The layer adds the policies of responses.
    ///   - httpsOnly: Whether every request is upgraded.
    public init(_ base: any Transport, store: HSTSStore, httpsOnly: Bool = false) {
        self.base = base
        self.store = store
        self.httpsOnly = httpsOnly
    }

    /// Returns whether the request may have to be upgraded.
    public func mustPerform(_ request: TransportRequest) -> Bool {
        (httpsOnly || !store.isEmpty) && request.head.scheme != "https"
    }

    /// Sends `request`, upgraded if necessary, and stores the policy of the response.
    ///
    /// - Throws: The errors of the transport beneath.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let upgraded = upgraded(request) else { return try await base.send(request) }
        let response = try await base.send(upgraded)
        learn(from: response, to: upgraded)
        return response
    }

    /// Returns whether a response over TLS has a policy.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code.
    ///   - request: The request, as it was sent.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool {
        response.connection?.isSecure == true && response.sharedHead.has(.strictTransportSecurity)
    }

    /// Stores the policy of the response, and returns the response. Throws no error.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        learn(from: response, to: request)
        return response
    }

    /// Opens a connection in the transport beneath, for `https` if the host has a policy.
    ///
    /// - Throws: The errors of the transport beneath.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        try await base.prepare(upgraded(request) ?? request)
    }

    // MARK: Upgrading

    private func upgraded(_ request: TransportRequest) -> TransportRequest? {
        guard let origin = Origin(request.head), let (head, reason) = upgrade(request.head, origin) else { return nil }
        var upgraded = request
        upgraded.head = head
        if let credential = request[RequestCredential.self], credential.origin == origin {
            upgraded[RequestCredential.self] = credential.moved(to: Origin(head))
        }
        report(.upgradedToHTTPS(head), reason, request)
        upgraded.identity = nil
        return upgraded
    }

    /// Returns `head` as the layer sends it, for `https`, and why; `nil` if the layer does not change it.
    private func upgrade(_ head: HTTPRequest, _ origin: Origin) -> (HTTPRequest, reason: String)? {
        guard httpsOnly || !store.isEmpty, origin.scheme == "http" else { return nil }
        let reason: String
        if store.requiresHTTPS(origin.host, at: date) {
            reason = "\(origin.host) is to be reached by https alone (RFC 6797)"
        } else if httpsOnly {
            reason = "the session sends requests by https alone"
        } else {
            return nil
        }
        var upgraded = head
        upgraded.scheme = "https"
        upgraded.authority = Self.secureAuthority(origin)
        return (upgraded, reason)
    }

    /// Returns `head` as a layer in `transport` sends it.
    static func upgraded(_ head: HTTPRequest, in transport: any Transport) -> HTTPRequest {
        let layers = sequence(first: transport) { $0.asLayer?.base }.lazy
        guard head.scheme == "http", let origin = Origin(head),
            let layer = layers.compactMap({ $0 as? HSTSLayer }).first, let (upgraded, _) = layer.upgrade(head, origin)
        else { return head }
        return upgraded
    }

    /// Returns the authority without port 80, so that 443 applies; any other port stays (RFC 6797 §8.3).
    private static func secureAuthority(_ origin: Origin) -> String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return origin.port == 80 || origin.port == 443 ? host : "\(host):\(origin.port)"
    }

    // MARK: Learning

    private func learn(from response: TransportResponse, to request: TransportRequest) {
        guard response.sharedHead.has(.strictTransportSecurity) else { return }
        guard let connection = response.connection, connection.tls != nil,
            request.authenticatesServer, let host = Origin(request.head)?.host,
            let field = response.head.headerFields[values: .strictTransportSecurity].first
        else { return }
        store.learn(field, from: host, at: date)
    }

    private var date: Date { clock.date(at: clock.now) }

    private func report(_ kind: TransportDecision.Kind, _ reason: String, _ request: TransportRequest) {
        request.report(kind, because: reason, on: clock)
    }
}

extension TransportRequest {
    /// Returns whether the evaluation that the engine consulted authenticates the server.
    fileprivate var authenticatesServer: Bool {
        var applied = self
        do {
            try applied.applySecurity()
        } catch {
            return false
        }
        return applied.trust?.authenticatesServer ?? true
    }
}

extension TransportRequest {
    /// Returns the request as it was sent for `response`: over TLS if a layer beneath upgraded it. Redirect
    /// rules apply to that origin.
    func sent(for response: TransportResponse) -> TransportRequest {
        guard head.scheme == "http", response.requestHead.head.scheme == "https",
            let origin = Origin(head), let sentOrigin = Origin(response.requestHead.head),
            origin.host == sentOrigin.host
        else { return self }
        var sent = self
        sent.head.scheme = response.requestHead.head.scheme
        sent.head.authority = response.requestHead.head.authority
        if let credential = self[RequestCredential.self], credential.origin == origin {
            sent[RequestCredential.self] = credential.moved(to: sentOrigin)
        }
        sent.identity = nil
        return sent
    }
}

extension HTTPCredential {
    /// Returns the credential for the same host with another scheme.
    fileprivate func moved(to origin: Origin?) -> HTTPCredential {
        HTTPCredential(user: user, password: password, origin: origin ?? self.origin, isShared: isShared)
    }
}
