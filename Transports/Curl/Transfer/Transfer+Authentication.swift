internal import AirframeTransport
internal import CCurl
internal import HTTPTypes

// Negotiate and NTLM. libcurl performs the handshake within one transfer: it answers a 401 with the next token and
// sends the request again. A 401 is therefore held back until libcurl has decided. It is the response if libcurl hands
// over its content or ends the transfer, and was one round of the handshake if libcurl sends the request again.

/// The head of a 401 that libcurl may answer.
struct HeldChallenge {
    let head: HTTPResponse
    let length: Int64?
}

extension Transfer {
    /// The most rounds of one handshake. NTLM takes two, Negotiate rarely more than two.
    private static let authenticationRoundLimit = 6

    func setAuthentication(_ authentication: ConnectionAuthentication) {
        switch authentication.scheme {
        case .negotiate:
            easy.set(CURLOPT_HTTPAUTH, Int(airframe_auth_negotiate))
            // libcurl takes the ticket of the process, but only if there is a name and a password.
            easy.set(CURLOPT_USERPWD, ":")
        case .ntlm:
            easy.set(CURLOPT_HTTPAUTH, Int(airframe_auth_ntlm))
            easy.set(CURLOPT_USERNAME, authentication.user)
            easy.set(CURLOPT_PASSWORD, authentication.password)
        }
        // From the second round on, libcurl normalizes the path of its URL, whatever CURLOPT_PATH_AS_IS says.
        easy.set(CURLOPT_REQUEST_TARGET, plan.pathAndQuery)
        // GSS-API's reason for having no token is in the verbose log only.
        easy.set(CURLOPT_VERBOSE, true)
        isListening = true
    }

    /// Records why GSS-API has no token.
    func noteSecurityMessage(_ text: UnsafeBufferPointer<UInt8>) {
        guard plan.authentication != nil, text.starts(with: "gss_".utf8) else { return }
        securityMessage = String(decoding: text.prefix { $0 != 10 }, as: UTF8.self)
    }

    /// Whether a head is held back until libcurl has decided whether it answers it.
    func holdsBack(_ head: HTTPResponse, length: Int64?) -> Bool {
        guard plan.authentication != nil, head.status.code == 401 else { return false }
        heldChallenge = HeldChallenge(head: head, length: length)
        return true
    }

    /// Makes the 401 that was held back the response. Returns `false` if that ends the transfer.
    func releaseChallenge() -> Bool {
        guard let challenge = heldChallenge, let scheme = plan.authentication?.scheme.rawValue else { return true }
        heldChallenge = nil
        if let securityMessage {
            failure = plan.error(
                .authenticationFailed,
                phase: .responseHead,
                processing: .notProcessed,
                message: "the server asks for authentication, and libcurl has no token for \(scheme)",
                library: "GSS-API: \(securityMessage)"
            )
            return false
        }
        emit(
            .decided(
                TransportDecision(
                    .refusedChallenge(scheme: scheme, realm: nil), reason: "the server refused the credential")))
        // libcurl leaves the content out of the first request of some handshakes.
        if uploadedCount == 0 { isSending = false }
        return acceptFinalHead(challenge.head, length: challenge.length)
    }

    /// Begins the next round of the handshake, if libcurl is about to send the request again for it. Returns `false` if
    /// the handshake has had too many rounds.
    func beginAuthenticationRound() -> Bool {
        guard heldChallenge != nil, let scheme = plan.authentication?.scheme.rawValue else { return true }
        heldChallenge = nil
        authenticationRounds += 1
        guard authenticationRounds <= Self.authenticationRoundLimit else {
            failure = plan.error(
                .authenticationFailed,
                phase: .responseHead,
                processing: .notProcessed,
                message: "the \(scheme) handshake did not end within \(Self.authenticationRoundLimit) rounds"
            )
            return false
        }
        emit(.decided(TransportDecision(.answeredChallenge(scheme: scheme, realm: nil), reason: "status 401")))
        isRetryPermitted = true
        return true
    }
}
