/// A Digest challenge that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Hashable {
    /// The protection of a request (`qop`).
    enum Protection: String, Sendable, Hashable {
        /// Method and target.
        case auth
        /// Method, target and content.
        case authInt = "auth-int"
    }

    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// The protection; `nil` if the server offers none, as servers before RFC 2617 do.
    let protection: Protection?
    /// Whether only the nonce of the rejected answer was stale.
    let isStale: Bool
    /// Whether the server requests a hashed user name.
    let hashesUser: Bool
    /// Whether the server supports UTF-8.
    let isUTF8: Bool
    /// The URIs that the challenge is for; empty for the whole server.
    let domain: [String]

    /// Parses a challenge; `nil` if it has another scheme, lacks the nonce, or names an unknown algorithm or
    /// protection. A missing realm counts as empty.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isOf("Digest"), let nonce = challenge.parameters["nonce"],
            let algorithm = DigestAlgorithm(challenge.parameters["algorithm"])
        else { return nil }
        if let offered = challenge.parameters["qop"] {
            let names = offered.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map { $0.lowercased() }
            // The content is protected only if the server insists, because it must then be read twice.
            guard let best = [Protection.auth, .authInt].first(where: { names.contains($0.rawValue) }) else {
                return nil
            }
            protection = best
        } else {
            protection = nil
        }
        realm = challenge.realm ?? ""
        self.nonce = nonce
        opaque = challenge.parameters["opaque"]
        self.algorithm = algorithm
        isStale = challenge.parameters["stale"]?.lowercased() == "true"
        hashesUser = challenge.parameters["userhash"]?.lowercased() == "true"
        isUTF8 = challenge.parameters["charset"]?.uppercased() == "UTF-8"
        domain = challenge.parameters["domain"]?.split(separator: " ").map(String.init) ?? []
    }
}
