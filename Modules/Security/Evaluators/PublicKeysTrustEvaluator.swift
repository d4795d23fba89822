public import AirframeCore
public import Foundation

/// Trusts a server one of whose public keys is pinned. A renewed certificate can keep its key.
///
/// As with pinned certificates, only the keys of certificates that signatures connect with the one of the handshake
/// count, and without `performDefaultValidation` and `validateHost` only these signatures are evaluated.
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    private let keys: [PublicKey]
    private let performDefaultValidation: Bool
    let validateHost: Bool
    private let policy: ChainPolicy

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - keys: The pinned keys; by default those of the certificates of the program's bundle.
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - policy: The requirements on the chain.
    public init(
        keys: [PublicKey] = Bundle.main.af.publicKeys,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        policy: ChainPolicy = ChainPolicy()
    ) {
        self.keys = keys
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.policy = policy
    }

    /// Evaluates the chain.
    ///
    /// - Throws: An ``AFError`` with the reason ``AFError/ServerTrustFailureReason/noPublicKeysFound``,
    ///   ``AFError/ServerTrustFailureReason/publicKeyPinningFailed(host:trust:pinnedKeys:serverKeys:)`` or one of
    ///   ``DefaultTrustEvaluator``'s.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !keys.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound) }
        let report = trust.report(forHost: host, policy: policy)
        if performDefaultValidation { try report.requireChain(trust) }
        if validateHost { try report.requireHost(trust) }
        let serverKeys = report.authenticated.map(\.publicKey)
        guard Set(serverKeys).isDisjoint(with: keys) else { return }
        trust.remark = PinRemark.keys(shown: report.authenticated, pinned: keys)
        throw AFError.serverTrustEvaluationFailed(
            reason: .publicKeyPinningFailed(
                host: host,
                trust: trust,
                pinnedKeys: keys.map(\.der),
                serverKeys: serverKeys.map(\.der)
            )
        )
    }
}
