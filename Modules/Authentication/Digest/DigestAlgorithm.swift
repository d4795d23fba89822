/// A hash of Digest authentication (RFC 7616 §3.3), computed by libcrypto, and whether it is used for a session.
struct DigestAlgorithm: Hashable, Sendable {
    let hash: HashFunction
    /// Whether the secret is bound to the first nonce: `-sess` in the name.
    let isSession: Bool
    /// The name in the server's spelling, which the answer repeats; `nil` if the server sent none, which means MD5.
    let name: String?

    /// Parses an `algorithm` parameter; `nil` for an unknown algorithm. Some servers omit the hyphen of `SHA-256`, or
    /// write the names in lower case.
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
