public import AirframeCore
public import Foundation

/// Trusts a server one of whose certificates is among the pinned ones.
///
/// Pins are compared with the chain as it was built, from the certificate of the handshake up to the last one that is
/// connected by verified signatures. A pinned certificate outside this chain is ignored, even if the server sends it.
///
/// Without `performDefaultValidation` and `validateHost` nothing but these signatures is evaluated: no dates, no
/// purposes, no root. A pinned authority then covers every certificate that it, or a certificate below it, has signed.
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    private let certificates: [Certificate]
    private let acceptSelfSignedCertificates: Bool
    private let performDefaultValidation: Bool
    let validateHost: Bool
    private let policy: ChainPolicy

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - certificates: The pinned certificates; by default those of the program's bundle.
    ///   - acceptSelfSignedCertificates: Whether the pinned certificates are the only roots, so that chains that lead
    ///     to them, or servers that show them, need no other. For servers with certificates of their own making.
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - policy: The requirements on the chain.
    public init(
        certificates: [Certificate] = Bundle.main.af.certificates,
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        policy: ChainPolicy = ChainPolicy()
    ) {
        self.certificates = certificates
        self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.policy = policy
    }

    /// Evaluates the chain.
    ///
    /// - Throws: An ``AFError`` with the reason ``AFError/ServerTrustFailureReason/noCertificatesFound``,
    ///   ``AFError/ServerTrustFailureReason/certificatePinningFailed(host:trust:pinnedCertificates:serverCertificates:)``
    ///   or one of ``DefaultTrustEvaluator``'s.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !certificates.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound) }
        if acceptSelfSignedCertificates { try trust.af.setAnchorCertificates(certificates) }
        let report = trust.report(forHost: host, policy: policy)
        if performDefaultValidation { try report.requireChain(trust) }
        if validateHost { try report.requireHost(trust) }
        guard Set(report.authenticated).isDisjoint(with: certificates) else { return }
        trust.remark = PinRemark.certificates(shown: report.authenticated, pinned: certificates)
        throw AFError.serverTrustEvaluationFailed(
            reason: .certificatePinningFailed(
                host: host,
                trust: trust,
                pinnedCertificates: certificates.map(\.der),
                serverCertificates: report.authenticated.map(\.der)
            )
        )
    }
}
