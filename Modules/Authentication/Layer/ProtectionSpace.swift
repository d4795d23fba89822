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
        prefixes.filter { path.hasPrefix($0) }.map(\.utf8.count).max()
    }

    /// Basic protects what lies at or below the folder of the challenged path (RFC 7617 §2.2).
    private static func folder(of path: String) -> String {
        let path = path.prefix { $0 != "?" }
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    }

    /// Digest protects what `domain` lists, or the whole server. What it lists elsewhere does not count here: a server
    /// has no say in what is sent to others (RFC 7616 §3.3).
    private static func prefixes(of domain: [String], at origin: Origin) -> [String] {
        let paths = domain.compactMap { uri -> String? in
            if uri.hasPrefix("/"), !uri.hasPrefix("//") { return uri }
            guard let slashes = uri.firstRange(of: "://") else { return nil }
            let rest = uri[slashes.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            let named = Origin(scheme: String(uri[..<slashes.lowerBound]), authority: String(authority))
            guard named == origin else { return nil }
            let path = rest[authority.endIndex...]
            return path.hasPrefix("/") ? String(path) : "/"
        }
        return domain.isEmpty ? ["/"] : paths
    }
}
