public import AirframeCore

/// Trusts a server whose chain leads to a trusted root, is valid, and is valid for the host.
///
/// The engines perform the same evaluation if no evaluator is set. This one has a choice of roots and rules, and
/// reports all findings.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    let validateHost: Bool
    private let policy: ChainPolicy

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - validateHost: Whether the certificate must be valid for the host (RFC 9525).
    ///   - policy: The requirements on the chain.
    public init(validateHost: Bool = true, policy: ChainPolicy = ChainPolicy()) {
        self.validateHost = validateHost
        self.policy = policy
    }

    /// Evaluates the chain.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/trustEvaluationFailed(error:)`` in an ``AFError``, with
    ///   ``AFError/ServerTrustFailureReason/defaultEvaluationFailed(output:)`` or
    ///   ``AFError/ServerTrustFailureReason/hostValidationFailed(output:)`` as its cause.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        let report = trust.report(forHost: host, policy: policy)
        try report.requireChain(trust)
        if validateHost { try report.requireHost(trust) }
    }
}
