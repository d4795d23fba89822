internal import AirframeTransport
internal import HTTPTypes

/// The protection space of one challenge (RFC 9110 §11.5).
struct ProtectionSpace: Sendable {
    /// The scheme and its parameters.
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
    /// The prefixes of the paths in the space.
    let prefixes: [String]
    /// The credential that later requests without their own may use.
    var credential: HTTPCredential?
    /// The successor of the challenge's nonce.
    var nonce: String?

    /// Creates the space of a challenge to the request of `round`; `nil` if its scheme is unknown, or cannot carry the
    /// credential.
    init?(_ challenge: AuthenticationChallenge, for round: AuthenticationRound) {
        origin = round.origin
        realm = challenge.realm
        if let digest = DigestChallenge(challenge) {
            scheme = .digest(digest)
            prefixes = Self.prefixes(of: digest.domain, at: round.origin)
        } else if challenge.isOf("Basic"), round.own.map(BasicAnswer.canCarry) ?? true {
            scheme = .basic
            prefixes = [Self.folder(of: round.request.head.sentTarget)]
        } else {
            return nil
        }
    }

    /// The strength of the scheme; a higher number is stronger.
    var strength: Int {
        switch scheme {
        case .basic: 0
        case .digest(let challenge): 1 + challenge.algorithm.hash.rawValue
        }
    }

    /// The length of the longest prefix of `path`; `nil` if `path` is outside the space.
    func reach(to path: String) -> Int? {
        prefixes.filter { path.utf8.starts(with: $0.utf8) }.map(\.utf8.count).max()
    }

    /// The prefix for Basic: the folder of the challenged path (RFC 7617 §2.2).
    private static func folder(of path: String) -> String {
        let path = path.utf8.prefix { $0 != UInt8(ascii: "?") }
        return path.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path[...$0])) } ?? "/"
    }

    /// The prefixes for Digest: the URIs of `domain`, or the whole server. URIs of other origins are ignored, although
    /// RFC 7616 §3.3 allows them: a server must not control the requests to others.
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
