/// A Digest challenge that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Hashable {
    /// What is protected.
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
    /// `nil` when the server offers none, as servers before RFC 2617 do.
    let protection: Protection?
    /// Whether the refused answer was right but for its nonce.
    let isStale: Bool
    /// Whether the user's name is to be sent as a hash.
    let hashesUser: Bool
    /// Whether the server says that it takes UTF-8.
    let isUTF8: Bool
    /// The URIs that the challenge is for; empty for the whole server.
    let domain: [String]

    /// Reads a challenge; `nil` when it is of another scheme, lacks the nonce, or asks for an algorithm or a protection
    /// that is not known. A missing realm is the empty one.
    init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isOf("Digest"), let nonce = challenge.parameters["nonce"],
            let algorithm = DigestAlgorithm(challenge.parameters["algorithm"])
        else { return nil }
        if let offered = challenge.parameters["qop"] {
            let names = offered.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map { $0.lowercased() }
            // The content is hashed only for servers that insist: it must then be read twice.
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
