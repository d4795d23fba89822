public import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// Sends requests by `https` to hosts that want TLS alone (HTTP Strict Transport Security, RFC 6797), so that no engine
/// has to.
///
/// A host is learned from a `Strict-Transport-Security` field that it sent over TLS from an authenticated server. From
/// then on `http` is rewritten to `https` before anything is sent, with a ``TransportDecision`` that says why. The
/// layer belongs beneath redirects, so that every hop is rewritten, and above authentication, so that credentials never
/// leave in the clear.
///
/// ```swift
/// let transport = RedirectLayer(HSTSLayer(engine, store: .shared))
/// ```
public struct HSTSLayer: SelectiveLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The hosts that want TLS alone.
    public let store: HSTSStore
    /// Whether every request goes by `https`, to hosts that never asked for it too.
    public let httpsOnly: Bool

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - store: The hosts that want TLS alone. What responses say is added.
    ///   - httpsOnly: Whether every request goes by `https`.
    public init(_ base: any Transport, store: HSTSStore, httpsOnly: Bool = false) {
        self.base = base
        self.store = store
        self.httpsOnly = httpsOnly
    }

    /// Whether the request may have to go by `https` instead of `http`.
    public func mustPerform(_ request: TransportRequest) -> Bool {
        (httpsOnly || !store.isEmpty) && request.head.scheme != "https"
    }

    /// Sends `request`, by `https` where that is due, and learns from the response.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let upgraded = upgraded(request) else { return try await base.send(request) }
        let response = try await base.send(upgraded)
        learn(from: response, to: upgraded)
        return response
    }

    /// Whether a response over TLS has a policy.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool {
        response.connection?.tls != nil && response.head.headerFields.contains(.strictTransportSecurity)
    }

    /// Learns the policy of the response.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        learn(from: response, to: request)
        return response
    }

    /// Has the transport beneath open a connection, for `https` where that is due.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        try await base.prepare(upgraded(request) ?? request)
    }

    // MARK: Upgrading

    private func upgraded(_ request: TransportRequest) -> TransportRequest? {
        guard httpsOnly || !store.isEmpty, let origin = Origin(request.head), origin.scheme == "http" else {
            return nil
        }
        let reason: String
        if store.requiresHTTPS(origin.host, at: date) {
            reason = "\(origin.host) is to be reached by https alone (RFC 6797)"
        } else if httpsOnly {
            reason = "the session sends requests by https alone"
        } else {
            return nil
        }
        var upgraded = request
        upgraded.head.scheme = "https"
        upgraded.head.authority = Self.secureAuthority(origin)
        if let credential = request[RequestCredential.self], credential.origin == origin {
            upgraded[RequestCredential.self] = credential.moved(to: Origin(upgraded.head))
        }
        report(.upgradedToHTTPS(upgraded.head), reason, request)
        upgraded.identity = nil
        return upgraded
    }

    /// Port 80 becomes 443, which is left out; any other port stays (RFC 6797 §8.3).
    private static func secureAuthority(_ origin: Origin) -> String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return origin.port == 80 || origin.port == 443 ? host : "\(host):\(origin.port)"
    }

    // MARK: Learning

    private func learn(from response: TransportResponse, to request: TransportRequest) {
        guard response.head.headerFields.contains(.strictTransportSecurity) else { return }
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
    /// Whether the evaluation that the engine asked establishes which server answers.
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

extension HTTPCredential {
    /// The same credential for the same host by another scheme.
    fileprivate func moved(to origin: Origin?) -> HTTPCredential {
        HTTPCredential(user: user, password: password, origin: origin ?? self.origin, isShared: isShared)
    }
}
