public import AirframeCore

/// Trusts a server if all of several evaluators do.
///
/// The evaluators after one that refuses are not called, except within a ``ReportOnlyTrustEvaluator``, which does not
/// refuse a server for a failed pin.
public final class CompositeTrustEvaluator: AsyncServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    /// Creates an evaluator.
    ///
    /// - Parameter evaluators: The evaluators. They are called in order until one rejects the server.
    public init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

    /// Calls the synchronous form of all evaluators.
    ///
    /// - Throws: The error of the first evaluator that refuses.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }

    /// Calls the asynchronous form of all evaluators.
    ///
    /// - Throws: The error of the first evaluator that refuses.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        for evaluator in evaluators { try await evaluator.settle(trust, forHost: host) }
    }
}

extension CompositeTrustEvaluator: WrappingTrustEvaluating, HostValidatingTrustEvaluating {
    func mapped(
        _ transform: (any ServerTrustEvaluating) -> any ServerTrustEvaluating
    ) -> any ServerTrustEvaluating {
        CompositeTrustEvaluator(evaluators: evaluators.map(transform))
    }

    /// All evaluators have been called when it returns.
    var validateHost: Bool { evaluators.contains { $0.isHostValidated } }
}
