internal import AirframeTransport
internal import HTTPTypes

/// What one challenge protects, and how (RFC 9110 §11.5).
struct ProtectionSpace: Sendable {
    /// How requests are authenticated.
    enum Scheme: Sendable, Hashable {
        case basic
        case digest(DigestChallenge)

        var name: String {
            switch self {
            case .basic: "Basic"
            case .digest: "Digest"
            }
        }
    }

    let origin: Origin
    let realm: String?
    let scheme: Scheme
    /// What the paths begin with that the challenge is for.
    let prefixes: [String]
    /// The credential that later requests may use without naming it.
    var credential: HTTPCredential?
    /// The nonce that follows the challenge's own.
    var nonce: String?

    /// The space of a challenge to the request of `round`; `nil` when its scheme is not known, or cannot carry the
    /// credential.
    init?(_ challenge: AuthenticationChallenge, for round: AuthenticationRound) {
        origin = round.origin
        realm = challenge.realm
        if let digest = DigestChallenge(challenge) {
            scheme = .digest(digest)
            prefixes = Self.prefixes(of: digest.domain, at: round.origin)
        } else if challenge.isOf("Basic"), round.own.map(BasicAnswer.canCarry) ?? true {
            scheme = .basic
            prefixes = [Self.folder(of: round.request.head.path ?? "/")]
        } else {
            return nil
        }
    }

    /// The stronger, the higher.
    var strength: Int {
        switch scheme {
        case .basic: 0
        case .digest(let challenge): 1 + challenge.algorithm.hash.rawValue
        }
    }

    /// The length of the longest prefix that `path` has; `nil` when the space does not reach there.
    func reach(to path: String) -> Int? {
        prefixes.filter { path.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
    }

    /// Basic protects what lies at or below the folder of the challenged path (RFC 7617 §2.2).
    private static func folder(of path: String) -> String {
        let path = path.utf8.prefix { $0 != UInt8(ascii: "?") }
        return path.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path[...$0])) } ?? "/"
    }

    /// Digest protects what `domain` lists, or the whole server. What it lists elsewhere does not count here: a server
    /// has no say in what is sent to others (RFC 7616 §3.3).
    private static func prefixes(of domain: [String], at origin: Origin) -> [String] {
        let paths = domain.compactMap { uri -> String? in
            let bytes = uri.utf8
            if bytes.starts(with: "/".utf8), !bytes.starts(with: "//".utf8) { return uri }
            guard let slashes = bytes.firstRange(of: "://".utf8) else { return nil }
            let rest = bytes[slashes.upperBound...]
            let authority = rest.prefix { !"/?#".utf8.contains($0) }
            let scheme = String(Substring(bytes[..<slashes.lowerBound]))
            guard Origin(scheme: scheme, authority: String(Substring(authority))) == origin else { return nil }
            let path = rest[authority.endIndex...]
            return path.first == UInt8(ascii: "/") ? String(Substring(path)) : "/"
        }
        return domain.isEmpty ? ["/"] : paths
    }
}
