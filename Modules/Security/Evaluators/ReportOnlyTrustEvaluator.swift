public import AirframeCore

/// Reports failed pins instead of refusing the server, so that pins can be tested before they are enforced.
///
/// Only failures of pinning, transparency and revocation are reported. A chain that is invalid, or not valid for the
/// host, is still refused:
///
/// - All evaluators of a ``CompositeTrustEvaluator`` are called, also after one with a failed pin.
/// - If no evaluator of this module validates the chain and the host (`validateHost`), this one does before it reports.
public final class ReportOnlyTrustEvaluator: AsyncServerTrustEvaluating {
    /// Receives the error of a server that would have been refused.
    public typealias Report = @Sendable (_ error: AFError, _ trust: ServerTrust) -> Void

    private let evaluator: any ServerTrustEvaluating
    private let policy: ChainPolicy
    private let report: Report

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - evaluator: The wrapped evaluator.
    ///   - policy: The requirements on the chain of a server that is reported, if no wrapped evaluator of this module
    ///     validates it for the host: with `validateHost: false`, or for evaluators of your own.
    ///   - report: Receives the first error of a server that would have been refused, in the task of the evaluation. A
    ///     server that is refused for another reason is not reported.
    public init(
        _ evaluator: any ServerTrustEvaluating,
        policy: ChainPolicy = ChainPolicy(),
        report: @escaping Report
    ) {
        self.evaluator = evaluator
        self.policy = policy
        self.report = report
    }

    /// Calls the synchronous form of the wrapped evaluator.
    ///
    /// - Throws: Its errors, except those about pinning, transparency or revocation, and those of
    ///   ``DefaultTrustEvaluator``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        let trial = TrustTrial(of: evaluator, policy: policy)
        try trial.wrapping(evaluator).evaluate(trust, forHost: host)
        if let error = trial.error { report(error, trust) }
    }

    /// Calls the asynchronous form of the wrapped evaluator.
    ///
    /// - Throws: The same as ``evaluate(_:forHost:)``.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        let trial = TrustTrial(of: evaluator, policy: policy)
        try await trial.wrapping(evaluator).settle(trust, forHost: host)
        if let error = trial.error { report(error, trust) }
    }
}

extension ReportOnlyTrustEvaluator: HostValidatingTrustEvaluating {
    var validateHost: Bool { evaluator.isHostValidated }
}
