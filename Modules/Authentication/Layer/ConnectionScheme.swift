internal import AirframeTransport

/// A scheme that authenticates a connection instead of a request (RFC 4559, MS-NTHT).
///
/// Its handshake needs the credentials of a Kerberos realm or a Windows domain and ties a connection to a user, against
/// RFC 9110 §11.1. Layers send requests and cannot perform it; `CurlTransport` can (Docs/Decisions/0113).
enum ConnectionScheme: String, CaseIterable {
    case negotiate = "Negotiate"
    case ntlm = "NTLM"

    /// The first of these schemes among `challenges`; `nil` if there is none.
    init?(among challenges: [AuthenticationChallenge]) {
        let schemes = challenges.lazy.compactMap { challenge in
            ConnectionScheme.allCases.first { challenge.isOf($0.rawValue) }
        }
        guard let first = schemes.first else { return nil }
        self = first
    }

    /// The error that names the alternatives.
    func refusal(by engine: String, _ round: AuthenticationRound) -> TransportError {
        round.failure(
            .authenticationFailed,
            "the server requires \(rawValue), which the transport \(engine) does not perform for this request: use "
                + "CurlTransport with TransportOptions.connectionAuthentication, or have the server offer Digest, Basic "
                + "or bearer tokens"
        )
    }
}
