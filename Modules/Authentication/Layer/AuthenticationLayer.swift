public import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// Answers servers' challenges (RFC 9110 §11) with the credential of a request, so that no engine has to: Basic
/// (RFC 7617) and Digest (RFC 7616).
///
/// A request carries its credential under the key ``RequestCredential``. The layer sends it when the server challenges,
/// in the first of ``schemes`` that the server offers (for Digest, with its strongest algorithm), and from then on
/// preemptively within the protection space of the challenge. It never sends a credential to another origin.
/// Credentials learned from other requests serve only requests without an `Authorization` field, so that a request is
/// never authenticated as another user. A rejected answer is not repeated; the `401` is then the response. Engines
/// answer the challenges of proxies (`407`).
///
/// ```swift
/// let transport = RedirectLayer(AuthenticationLayer(engine))
/// configuration.layers.replace(.authentication) { AuthenticationLayer($0, schemes: [.digest]) }
/// ```
///
/// A request with a credential fails if the server offers only Negotiate or NTLM. These schemes authenticate a
/// connection, and `CurlTransport` performs them (``TransportOptions/connectionAuthentication``). The error names the
/// alternatives.
public struct AuthenticationLayer: ResponseProcessingLayer {
    /// The transport beneath.
    public let base: any Transport

    /// The capabilities of the transport beneath, and the schemes of this layer.
    public let capabilities: TransportCapabilities

    /// The schemes that are answered, the preferred one first.
    public let schemes: [AuthenticationScheme]

    private let spaces = ProtectionSpaces()
    private let makeClientNonce: @Sendable () -> String

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport beneath.
    ///   - schemes: The schemes to answer, the preferred one first; by default the strongest first. Challenges of other
    ///     schemes are returned.
    public init(_ base: any Transport, schemes: [AuthenticationScheme] = AuthenticationScheme.strongestFirst) {
        self.init(base, schemes: schemes, clientNonce: ClientNonce.make)
    }

    /// Wraps `base`, with a test's source of client nonces.
    package init(
        _ base: any Transport,
        schemes: [AuthenticationScheme] = AuthenticationScheme.strongestFirst,
        clientNonce: @escaping @Sendable () -> String
    ) {
        self.base = base
        self.schemes = schemes
        var capabilities = base.capabilities
        capabilities.authenticationSchemes += schemes.map(\.name).sorted()
        self.capabilities = capabilities
        makeClientNonce = clientNonce
    }

    /// Whether the request has a credential, or another request has left one.
    public func mustPerform(_ request: TransportRequest) -> Bool {
        (request.hasValues && request[RequestCredential.self] != nil) || !spaces.isEmpty
    }

    /// Sends `request`, and sends it again with an answer if the server challenges.
    ///
    /// - Returns: The response. A `401` if the server rejects the credential, or if there is none.
    /// - Throws: ``TransportError/Code/authenticationFailed`` if a challenge cannot be answered, or if the server fails
    ///   to prove that it knows the password; ``TransportError/Code/bodyNotReplayable`` if the body must be sent again,
    ///   or read for its hash, and cannot be; ``TransportError/Code/bodyFailed`` if it cannot be read for its hash;
    ///   ``TransportError/Code/timedOut`` if the deadline has passed; ``TransportError/Code/cancelled``; the errors of
    ///   the transport beneath.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let own = request[RequestCredential.self]
        guard let origin = Origin(request.head) else { return try await base.send(request) }
        var round = AuthenticationRound(request, origin: origin, own: own?.origin == origin ? own : nil)
        round.request.startDeadline(on: clock)
        if let known = spaces.space(for: round) { try await prepare(&round, for: known) }
        let response = try await exchange(round)
        return try await complete(&round, response)
    }

    /// Returns whether the response is a challenge.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code.
    ///   - request: The request, as it was sent.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool {
        status == 401
    }

    /// Answers a challenge to a request that had no credential when it was sent, if it has one now.
    ///
    /// - Returns: The response. A `401` if the server rejects the credential, or if there is none.
    /// - Throws: The errors of ``perform(_:)``.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        guard let origin = Origin(request.head) else { return response }
        var round = AuthenticationRound(request, origin: origin, own: nil)
        round.request.startDeadline(on: clock)
        return try await complete(&round, response)
    }

    /// Answers challenges until the server sends another response.
    private func complete(
        _ round: inout AuthenticationRound,
        _ first: TransportResponse
    ) async throws(TransportError) -> TransportResponse {
        var response = first
        while true {
            guard response.head.status.code == 401 else {
                try conclude(round, response)
                return response
            }
            guard let space = try choose(&round, response) else { return response }
            if let failure = round.replayFailure { throw failed(failure, round) }
            try await response.body.finish()
            round.request.beginNewExchange()
            try await prepare(&round, for: space)
            if Task.isCancelled {
                throw failed(.cancelled(in: .layer, processing: .notProcessed, origin: round.origin), round)
            }
            response = try await exchange(round)
        }
    }

    // MARK: Steps

    private func exchange(_ round: AuthenticationRound) async throws(TransportError) -> TransportResponse {
        var request = round.request
        if let value = round.answer?.field {
            var field = HTTPField(name: .authorization, value: value)
            field.indexingStrategy = .disallow
            request.head.headerFields[fields: .authorization] = [field]
        }
        if round.answers > 0, let left = request.remainingTime(on: clock), left <= .zero {
            throw failed(round.failure(.timedOut, "the deadline passed before a challenge could be answered"), round)
        }
        return try await base.send(request)
    }

    /// Picks the challenge to answer, and reports the decision; `nil` to return the response.
    private func choose(
        _ round: inout AuthenticationRound,
        _ response: TransportResponse
    ) throws(TransportError) -> ProtectionSpace? {
        let challenges = AuthenticationChallenge.challenges(in: response.head.headerFields[values: .wwwAuthenticate])
        guard !challenges.isEmpty else { return nil }
        round.adoptLateCredential()
        let options = challenges.compactMap { ProtectionSpace($0, for: round) }
        let best = preferred(options)
        let shown = challenges.first { $0.isOf(best?.scheme.name ?? "") } ?? challenges[0]
        guard let space = best else {
            if round.own != nil, let foreign = ConnectionScheme(among: challenges) {
                response.body.cancel()
                throw failed(foreign.refusal(by: base.capabilities.engine, round), round)
            }
            return decline(shown, "the layer supports none of the schemes that the server offers", round)
        }
        guard let credential = round.own ?? (round.mayShare ? spaces.sharedCredential(for: space) : nil) else {
            let reason =
                round.mayShare
                ? "there is no credential for \(round.origin)"
                : "the request has its own credential, which is not replaced by another user's"
            return decline(shown, reason, round)
        }
        if let objection = round.objection(to: space, credential) {
            spaces.forget(space, credential)
            report(.refusedChallenge(scheme: shown.scheme, realm: shown.realm), objection, round)
            return nil
        }
        round.credential = credential
        round.answers += 1
        report(.answeredChallenge(scheme: shown.scheme, realm: shown.realm), "status 401", round)
        return space
    }

    /// Returns the space of the preferred scheme. Of several with the same scheme it is the strongest, and of equals
    /// the first, because servers list them by preference.
    private func preferred(_ options: [ProtectionSpace]) -> ProtectionSpace? {
        for scheme in schemes {
            let candidates = options.filter { $0.scheme.name == scheme.name }
            guard let strength = candidates.map(\.strength).max() else { continue }
            return candidates.first { $0.strength == strength }
        }
        return nil
    }

    /// Creates the answer that the next exchange carries.
    private func prepare(_ round: inout AuthenticationRound, for space: ProtectionSpace) async throws(TransportError) {
        guard let credential = round.credential ?? round.own ?? space.credential else { return }
        switch space.scheme {
        case .basic:
            round.answer = .init(space: space, credential: credential, field: BasicAnswer.fieldValue(credential))
        case .digest(let challenge):
            let nonce = space.nonce ?? challenge.nonce
            let use = spaces.use(nonce, of: space.origin, makeClientNonce)
            var input = DigestAnswer.Input(
                user: credential.user,
                password: credential.password,
                method: round.request.head.method.rawValue,
                target: round.request.head.sentTarget,
                nonce: nonce,
                nonceCount: use.count,
                // The secret of a session is bound to the client nonce of its first request.
                clientNonce: challenge.algorithm.isSession ? use.firstClientNonce : use.clientNonce
            )
            do {
                if challenge.protection == .authInt {
                    let hash = try await ContentHash.bytes(of: round.request.body, challenge.algorithm.hash)
                    input.contentHash = hash.hexadecimal
                }
                let digest = try DigestAnswer(to: challenge, input)
                round.answer = .init(
                    space: space, credential: credential, field: try digest.fieldValue(), digest: digest)
            } catch let error as TransportError {
                throw failed(error, round)
            } catch {
                throw failed(
                    round.failure(.authenticationFailed, "the challenge cannot be answered: \(error)", beneath: error),
                    round
                )
            }
        }
    }

    /// Records the `Authentication-Info` of a response.
    private func conclude(_ round: AuthenticationRound, _ response: TransportResponse) throws(TransportError) {
        guard let answer = round.answer else { return }
        var space = answer.space
        var isNews = round.answers > 0 || (answer.credential.isShared && answer.credential != space.credential)
        // A stored response has the field of the exchange that it was stored in (RFC 9110 §11.6.3).
        if response.source != .cache, let digest = answer.digest,
            let information = AuthenticationInfo(response.head.headerFields)
        {
            if let failure = round.failure(of: information, to: digest) {
                response.body.cancel()
                throw failed(failure, round)
            }
            if let next = information.nextNonce {
                space.nonce = next
                isNews = true
            }
        }
        // A late response to an older nonce must not restore that nonce.
        if isNews { spaces.remember(space, answer.credential) }
    }

    // MARK: Reasons

    /// Reports that a challenge is not answered: because the server rejected an answer, or because there is none.
    private func decline(
        _ challenge: AuthenticationChallenge,
        _ reason: String,
        _ round: AuthenticationRound
    ) -> ProtectionSpace? {
        let kind: TransportDecision.Kind =
            round.answer == nil
            ? .unansweredChallenge(scheme: challenge.scheme, realm: challenge.realm)
            : .refusedChallenge(scheme: challenge.scheme, realm: challenge.realm)
        report(kind, reason, round)
        return nil
    }

    private func failed(_ error: TransportError, _ round: AuthenticationRound) -> TransportError {
        round.request.failed(error, on: clock)
    }

    private func report(_ kind: TransportDecision.Kind, _ reason: String, _ round: AuthenticationRound) {
        round.request.report(kind, because: reason, on: clock)
    }
}
