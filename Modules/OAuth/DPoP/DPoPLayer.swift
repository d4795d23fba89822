internal import AirframeAuthentication
public import AirframeTransport
internal import HTTPTypes

/// Proves with each request the possession of the key that the token is bound to (RFC 9449 §7).
///
/// The layer adds a proof to requests whose `Authorization` has the scheme `DPoP`, which ``OAuthAuthenticator`` sets,
/// and passes other requests unchanged. Each hop, each retry and each attempt gets a new proof. If the server demands a
/// nonce, the layer repeats the request once with it, provided that the body can be sent again.
///
/// ```swift
/// configuration.layers.insert(below: .redirects) { DPoPLayer($0, key: key) }
/// ```
public struct DPoPLayer: SelectiveLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The key that tokens are bound to.
    public let key: DPoPKey

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport beneath.
    ///   - key: The key that tokens are bound to.
    public init(_ base: any Transport, key: DPoPKey) {
        self.base = base
        self.key = key
    }

    /// Whether the request carries a token that is bound to a key.
    public func mustPerform(_ request: TransportRequest) -> Bool { Self.token(of: request.head) != nil }

    /// Sends `request` with a proof.
    ///
    /// - Throws: ``TransportError/Code/authenticationFailed`` if the proof cannot be made.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let origin = Origin(request.head), let token = Self.token(of: request.head) else {
            return try await base.send(request)
        }
        var request = request
        request.startDeadline(on: clock)
        let response = try await exchange(&request, origin, token)
        guard asksForNonce(response), request.body.replay != .oneShot else { return response }
        try await response.body.finish()
        let reason = "the server requires a nonce in the proof"
        request.report(.answeredChallenge(scheme: "DPoP", realm: nil), because: reason, on: clock)
        request.beginNewExchange()
        return try await exchange(&request, origin, token)
    }

    private func exchange(
        _ request: inout TransportRequest,
        _ origin: Origin,
        _ token: String
    ) async throws(TransportError) -> TransportResponse {
        do throws(OAuthError) {
            try key.addProof(to: &request, with: token, nonce: key.nonces.nonce(of: origin), on: clock)
        } catch {
            let failure = TransportError(
                .authenticationFailed, phase: .layer, processing: .notSent, message: "\(error)", origin: origin,
                underlying: error
            )
            throw request.failed(failure, on: clock)
        }
        let response = try await base.send(request)
        // A stored response has an old nonce, and the most recent one counts (RFC 9449 §8.2).
        if response.source != .cache { _ = key.nonces.take(response.head.headerFields, from: request.head) }
        return response
    }

    private func asksForNonce(_ response: TransportResponse) -> Bool {
        guard response.head.status.code == 401, response.head.headerFields[.dpopNonce] != nil else { return false }
        let challenges = AuthenticationChallenge.challenges(in: response.head.headerFields[values: .wwwAuthenticate])
        return challenges.contains {
            $0.scheme.lowercased() == "dpop" && $0.parameters["error"] == "use_dpop_nonce"
        }
    }

    private static func token(of head: HTTPRequest) -> String? {
        guard let value = head.headerFields[.authorization], value.prefix(5).lowercased() == "dpop " else { return nil }
        return String(value.dropFirst(5))
    }
}
