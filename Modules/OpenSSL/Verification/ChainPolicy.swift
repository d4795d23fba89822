public import AirframeTransport

/// What a chain of certificates is held to.
public struct ChainPolicy: Sendable, Hashable {
    /// How much of RFC 5280 is held against a chain.
    public enum Profile: Sendable, Hashable {
        /// What a client must check. Private authorities, whose certificates lack what only helps to find chains, pass.
        case compatible
        /// Also what RFC 5280 and the rules of the web's authorities ask of those who issue certificates: key
        /// identifiers in all, critical where they must be, serial numbers within bounds, no weak keys in roots.
        case strict
    }

    /// The certificates that a chain may end in. A ``ServerTrust`` with anchors of its own has those in their place.
    public var roots: TrustRoots
    /// How much of RFC 5280 counts.
    public var profile: Profile
    /// Intermediates that servers may have forgotten to send.
    public var intermediates: [Certificate]
    /// The most intermediates in a chain; `nil` for the library's limit of 100.
    public var maximumIntermediates: Int?

    /// Sets a policy.
    ///
    /// - Parameters:
    ///   - roots: The certificates that a chain may end in. Given ones need not be self-signed.
    ///   - profile: How much of RFC 5280 counts.
    ///   - intermediates: Intermediates that servers may have forgotten to send.
    ///   - maximumIntermediates: The most intermediates in a chain.
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

    /// A policy with these certificates as its roots.
    public static func trusting(_ roots: [Certificate]) -> ChainPolicy {
        ChainPolicy(roots: .certificates(roots.map(\.der)))
    }
}
