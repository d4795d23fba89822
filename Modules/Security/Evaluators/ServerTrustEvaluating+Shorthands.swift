public import AirframeCore
public import Foundation

extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
    /// The default evaluation, with the host.
    public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }

    /// The default evaluation.
    ///
    /// - Parameters:
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - policy: The requirements on the chain.
    public static func `default`(
        validateHost: Bool = true,
        policy: ChainPolicy = ChainPolicy()
    ) -> DefaultTrustEvaluator {
        DefaultTrustEvaluator(validateHost: validateHost, policy: policy)
    }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
    /// Pins the certificates of the program's bundle.
    public static var pinnedCertificates: PinnedCertificatesTrustEvaluator { PinnedCertificatesTrustEvaluator() }

    /// Pins certificates.
    ///
    /// - Parameters:
    ///   - certificates: The pinned certificates.
    ///   - acceptSelfSignedCertificates: Whether they are the only roots.
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - policy: The requirements on the chain.
    public static func pinnedCertificates(
        certificates: [Certificate] = Bundle.main.af.certificates,
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        policy: ChainPolicy = ChainPolicy()
    ) -> PinnedCertificatesTrustEvaluator {
        PinnedCertificatesTrustEvaluator(
            certificates: certificates,
            acceptSelfSignedCertificates: acceptSelfSignedCertificates,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost,
            policy: policy
        )
    }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
    /// Pins the keys of the certificates of the program's bundle.
    public static var publicKeys: PublicKeysTrustEvaluator { PublicKeysTrustEvaluator() }

    /// Pins keys.
    ///
    /// - Parameters:
    ///   - keys: The pinned keys.
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - policy: The requirements on the chain.
    public static func publicKeys(
        keys: [PublicKey] = Bundle.main.af.publicKeys,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        policy: ChainPolicy = ChainPolicy()
    ) -> PublicKeysTrustEvaluator {
        PublicKeysTrustEvaluator(
            keys: keys,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost,
            policy: policy
        )
    }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
    /// Combines several evaluators.
    ///
    /// - Parameter evaluators: The evaluators. They are called in order until one rejects the server.
    public static func composite(evaluators: [any ServerTrustEvaluating]) -> CompositeTrustEvaluator {
        CompositeTrustEvaluator(evaluators: evaluators)
    }
}
