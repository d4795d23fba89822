internal import AirframeTransport
internal import HTTPTypes

/// One request on its way through challenges: what it carries, what was answered, what was refused.
struct AuthenticationRound {
    /// What goes with an exchange.
    struct Answer {
        let space: ProtectionSpace
        let credential: HTTPCredential
        let field: String
        var digest: DigestAnswer?
    }

    var request: TransportRequest
    let origin: Origin
    /// The request's own credential for its origin.
    let own: HTTPCredential?
    /// The credential that the last challenge was answered with.
    var credential: HTTPCredential?
    var answer: Answer?
    /// How many challenges were answered.
    var answers = 0

    init(_ request: TransportRequest, origin: Origin, own: HTTPCredential?) {
        self.request = request
        self.origin = origin
        self.own = own
    }

    /// Whether the request came with an `Authorization` of its maker's, which is not to be replaced unasked. One that
    /// says in Basic what the credential says is the credential's.
    var hasForeignAuthorization: Bool {
        guard let field = request.head.headerFields[.authorization] else { return false }
        return own.map { BasicAnswer.fieldValue($0) != field } ?? true
    }

    /// Whether the request may use a credential that the layer learned from another request. A request that has a
    /// credential, or dropped one when a redirect changed the origin, may not.
    var mayShare: Bool {
        !hasForeignAuthorization && request[RequestCredential.self] == nil && !request[OwnCredentialOnly.self]
    }

    /// Why `space` is not to be answered with `credential` (any more), in words; `nil` when it is.
    func objection(to space: ProtectionSpace, _ credential: HTTPCredential) -> String? {
        guard answers < 4 else { return "the server refuses one answer after the other" }
        switch space.scheme {
        case .basic:
            let sent = answer?.field ?? request.head.headerFields[.authorization]
            if sent == BasicAnswer.fieldValue(credential) { return "the server refused the credential" }
            // Whoever made the server forget Digest would get the password.
            return answer?.digest != nil && answers > 0 ? "the server refused the credential in a stronger scheme" : nil
        case .digest(let challenge):
            guard let answer, answer.digest != nil, !challenge.isStale else { return nil }
            // An answer that was sent unasked may have had a nonce that was too old.
            return answers > 0 || answer.credential != credential ? "the server refused the credential" : nil
        }
    }

    /// Why the answer cannot go with the body, which was sent; `nil` when it can.
    var replayFailure: TransportError? {
        guard request.body.replay == .oneShot else { return nil }
        return failure(
            .bodyNotReplayable,
            "the server asks for authentication, and the body to send again with it can be read only once"
        )
    }

    /// Why the server is not who knows the password; `nil` when nothing speaks against it.
    func failure(of information: AuthenticationInfo, to answer: DigestAnswer) -> TransportError? {
        do {
            guard try !information.proves(answer) else { return nil }
            return failure(
                .authenticationFailed,
                "the server's proof in Authentication-Info (rspauth) is wrong: it does not know the password"
            )
        } catch {
            return failure(.authenticationFailed, "the server's proof cannot be checked: \(error)", beneath: error)
        }
    }

    /// An error of this layer. The last thing that the server said is that it did nothing (RFC 9110 §15.5.2).
    func failure(_ code: TransportError.Code, _ message: String, beneath: (any Error)? = nil) -> TransportError {
        TransportError(
            code,
            phase: .layer,
            processing: code == .authenticationFailed ? .unknown : .notProcessed,
            message: message,
            origin: origin,
            underlying: beneath
        )
    }
}
