internal import HTTPTypes

/// The `Authentication-Info` that a server sends after it has accepted an answer (RFC 7616 §3.5).
struct AuthenticationInfo {
    /// The nonce for later requests.
    let nextNonce: String?
    private let proof: String?
    private let protection: String?
    private let clientNonce: String?
    private let nonceCount: String?

    /// Parses a response's `Authentication-Info`; `nil` if there is none.
    init?(_ fields: HTTPFields) {
        guard let name = HTTPField.Name("Authentication-Info"), let value = fields[name] else { return nil }
        var parser = ChallengeParser(value)
        let parameters = parser.parameters()
        nextNonce = parameters["nextnonce"].flatMap { $0.isEmpty ? nil : $0 }
        proof = parameters["rspauth"]?.lowercased()
        protection = parameters["qop"]?.lowercased()
        clientNonce = parameters["cnonce"]
        nonceCount = parameters["nc"]?.lowercased()
    }

    /// Whether the server's proof of the password is valid. A missing proof, and a proof over content that has not
    /// arrived, are accepted.
    func proves(_ answer: DigestAnswer) throws(HashUnavailable) -> Bool {
        guard let proof, protection != "auth-int", let expected = try answer.expectedServerProof() else { return true }
        return proof == expected && (clientNonce ?? answer.clientNonce) == answer.clientNonce
            && (nonceCount ?? answer.nonceCountText) == answer.nonceCountText
    }
}
