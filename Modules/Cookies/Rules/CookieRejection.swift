/// A cookie that was rejected, and the reason. Its value is left out.
public struct CookieRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why a cookie is not stored, with the section of RFC 6265bis.
    public enum Reason: Error, Sendable, Hashable {
        /// The field contains a control character (§5.6).
        case controlCharacter
        /// Name and value are both empty (§5.7).
        case empty
        /// Name and value together have more than 4096 bytes (§5.6).
        case tooLarge
        /// The domain has characters beyond ASCII (§5.7).
        case malformedDomain
        /// The host or the path that the cookie is for has a control character, or the host begins with a dot.
        case malformedHostOrPath
        /// The domain is a public suffix (§5.7).
        case publicSuffix
        /// The host that sent the cookie is not within its domain (§5.7).
        case foreignDomain
        /// The cookie is `Secure`, and was not received over TLS (§5.7).
        case insecure
        /// A `Secure` cookie has the same name, and must not be replaced without TLS (§5.7).
        case wouldReplaceSecure
        /// The cookie or the one that it replaces is `HttpOnly`, and it was not received by HTTP (§5.7).
        case httpOnly
        /// The cookie is for same-site requests, and the request was cross-site (§5.7).
        case crossSite
        /// `SameSite=None` without `Secure` (§5.7).
        case sameSiteNoneNeedsSecure
        /// The name begins with `__Secure-` or `__Host-`, and the cookie lacks attributes that the prefix demands
        /// (§5.4).
        case prefix
        /// `Partitioned` without `Secure`.
        case partitionedNeedsSecure
        /// The accept policy of the request, the session or the storage rejects the cookie.
        case policy
        /// The filter of the request or the session rejects the cookie.
        case closure
    }

    /// The cookie's name, shortened if it is long; empty if the field could not be parsed.
    public let name: String
    /// The domain that the cookie is for: the `Domain` attribute, or the host.
    public let domain: String
    /// The reason for the rejection.
    public let reason: Reason

    init(_ name: String, _ domain: String, _ reason: Reason) {
        self.name = name.utf8.count > 64 ? String(name.prefix(64)) : name
        self.domain = domain.utf8.count > 255 ? String(domain.prefix(255)) : domain
        self.reason = reason
    }

    /// A sentence with the cookie's name, its domain and the reason.
    public var description: String { "cookie \(name.debugDescription) of \(domain) rejected: \(reason.words)" }
}

extension CookieRejection.Reason {
    /// The reason as part of a sentence.
    public var words: String {
        switch self {
        case .controlCharacter: "the field has a control character"
        case .empty: "it has neither name nor value"
        case .tooLarge: "name and value have more than \(SetCookieField.sizeLimit) bytes"
        case .malformedDomain: "its domain has characters beyond ASCII"
        case .malformedHostOrPath: "its host begins with a dot, or its host or path has a control character"
        case .publicSuffix: "its domain is a public suffix"
        case .foreignDomain: "the host is not within its domain"
        case .insecure: "it is Secure and was received without TLS"
        case .wouldReplaceSecure: "it was received without TLS and would replace a Secure cookie"
        case .httpOnly: "it is HttpOnly and was not received by HTTP"
        case .crossSite: "it is for same-site requests, and the request is cross-site"
        case .sameSiteNoneNeedsSecure: "SameSite=None needs Secure"
        case .prefix: "it lacks attributes that the prefix of its name demands"
        case .partitionedNeedsSecure: "Partitioned needs Secure"
        case .policy: "the accept policy rejects it"
        case .closure: "the cookie filter rejects it"
        }
    }
}
