/// A hash of Digest authentication (RFC 7616 §3.3), computed by libcrypto, and whether it is used for a session.
struct DigestAlgorithm: Hashable, Sendable {
    let hash: HashFunction
    /// Whether the secret is bound to the first nonce: `-sess` in the name.
    let isSession: Bool
    /// The name as the server spells it, to be sent back; `nil` when it named none, which means MD5.
    let name: String?

    /// Reads an `algorithm` parameter; `nil` for an algorithm that is not known. Early servers say `SHA` with a size for
    /// what is now spelled with a hyphen, and some write the names in lower case.
    init?(_ name: String?) {
        self.name = name
        let upper = name?.uppercased() ?? "MD5"
        isSession = upper.hasSuffix("-SESS")
        let base = isSession ? String(upper.dropLast(5)) : upper
        switch base {
        case "MD5": hash = .md5
        case "SHA-256", "SHA256": hash = .sha256
        case "SHA-512-256", "SHA-512/256": hash = .sha512Half
        default: return nil
        }
    }
}
