public import AirframeCore

/// Trusts a server whose chain leads to a trusted root, is valid, and is for the host.
///
/// It is what the engines do by themselves, with a choice of roots and of rules, and with all the words.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    private let validateHost: Bool
    private let policy: ChainPolicy

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - validateHost: Whether the certificate must be for the host (RFC 9525).
    ///   - policy: What the chain is held to.
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
