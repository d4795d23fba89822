internal import AirframeTransport
internal import HTTPTypes

/// The state of one request during authentication: its credentials, its answers and rejected answers.
struct AuthenticationRound {
    /// The answer that an exchange carries.
    struct Answer {
        let space: ProtectionSpace
        let credential: HTTPCredential
        let field: String
        var digest: DigestAnswer?
    }

    var request: TransportRequest
    let origin: Origin
    /// The request's own credential for its origin.
    private(set) var own: HTTPCredential?
    /// The credential that the last challenge was answered with.
    var credential: HTTPCredential?
    var answer: Answer?
    /// The number of answered challenges.
    var answers = 0

    init(_ request: TransportRequest, origin: Origin, own: HTTPCredential?) {
        self.request = request
        self.origin = origin
        self.own = own
    }

    /// Takes the credential that the request has now. It may have been set after the request was sent.
    mutating func adoptLateCredential() {
        guard let late = request.lateCredential else { return }
        if late.origin == origin {
            own = late
        } else if late.origin.isHost(ofSecure: origin) {
            own = HTTPCredential(user: late.user, password: late.password, origin: origin, isShared: late.isShared)
        } else if own == nil {
            // It belongs to the origin of the first request, and no other user's credential may replace it.
            request[OwnCredentialOnly.self] = true
        }
    }

    /// Whether the caller set an `Authorization` field, which is not replaced preemptively. A Basic field with the name
    /// and password of the credential does not count.
    var hasForeignAuthorization: Bool {
        guard let field = request.head.headerFields[.authorization] else { return false }
        return own.map { BasicAnswer.fieldValue($0) != field } ?? true
    }

    /// Whether the request may use a credential that the layer learned from another request. A request that has a
    /// credential, or dropped one when a redirect changed the origin, may not.
    var mayShare: Bool {
        !hasForeignAuthorization && request[RequestCredential.self] == nil && !request[OwnCredentialOnly.self]
    }

    /// The reason not to answer `space` with `credential`; `nil` to answer.
    func objection(to space: ProtectionSpace, _ credential: HTTPCredential) -> String? {
        guard answers < 4 else { return "the server rejected several answers" }
        switch space.scheme {
        case .basic:
            let sent = answer?.field ?? request.head.headerFields[.authorization]
            if sent == BasicAnswer.fieldValue(credential) { return "the server rejected the credential" }
            // An attacker who removes the Digest challenge would get the password.
            return answer?.digest != nil && answers > 0
                ? "the server rejected the credential in a stronger scheme" : nil
        case .digest(let challenge):
            guard let answer, answer.digest != nil, !challenge.isStale else { return nil }
            // The nonce of a preemptive answer may have been stale.
            return answers > 0 || answer.credential != credential ? "the server rejected the credential" : nil
        }
    }

    /// The reason that the request cannot be sent again with its body; `nil` if it can.
    var replayFailure: TransportError? {
        guard request.body.replay == .oneShot else { return nil }
        return failure(
            .bodyNotReplayable,
            "the server requires authentication, and the body cannot be sent again because it can be read only once"
        )
    }

    /// The reason to doubt that the server knows the password; `nil` if there is none.
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

    /// An error of this layer. The server has not processed the request: its last response was a 401 (RFC 9110
    /// §15.5.2).
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

extension Origin {
    /// Whether `other` is this origin after a change from `http` to `https` (RFC 6797 §8.3).
    fileprivate func isHost(ofSecure other: Origin) -> Bool {
        scheme == "http" && other.scheme == "https" && host == other.host && (port == 80 ? 443 : port) == other.port
    }
}
