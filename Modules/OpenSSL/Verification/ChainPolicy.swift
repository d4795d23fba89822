public import AirframeTransport

/// The requirements on a chain of certificates.
public struct ChainPolicy: Sendable, Hashable {
    /// The part of RFC 5280 that is enforced.
    public enum Profile: Sendable, Hashable {
        /// The checks required of clients. Accepts private authorities, whose certificates often lack the extensions
        /// that only help to build chains.
        case compatible
        /// Also the requirements of RFC 5280 and the CA/Browser Forum on issuers: key identifiers in all certificates,
        /// extensions critical where required, serial numbers within bounds, no weak keys in roots.
        case strict
    }

    /// The certificates that a chain may end in. The anchors of a ``ServerTrust`` replace them.
    public var roots: TrustRoots
    /// The part of RFC 5280 that is enforced.
    public var profile: Profile
    /// Intermediates that servers may omit.
    public var intermediates: [Certificate]
    /// The maximum number of intermediates in a chain; `nil` for OpenSSL's limit of 100.
    public var maximumIntermediates: Int?

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - roots: The certificates that a chain may end in. Custom ones need not be self-signed.
    ///   - profile: The part of RFC 5280 that is enforced.
    ///   - intermediates: Intermediates that servers may omit.
    ///   - maximumIntermediates: The maximum number of intermediates in a chain.
    public init(
        roots: TrustRoots = .system,
        profile: Profile = .compatible,
        intermediates: [Certificate] = [],
        maximumIntermediates: Int? = nil
    ) {
        self.roots = roots
        self.profile = profile
        self.intermediates = intermediates
        self.maximumIntermediates = maximumIntermediates
    }

    /// Returns a policy with these certificates as its roots.
    public static func trusting(_ roots: [Certificate]) -> ChainPolicy {
        ChainPolicy(roots: .certificates(roots.map(\.der)))
    }
}
