public import AirframeCore

/// Trusts a server that all of several evaluators trust.
public final class CompositeTrustEvaluator: AsyncServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    /// Makes an evaluator.
    ///
    /// - Parameter evaluators: Asked in this order, until the first that refuses.
    public init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

    /// Asks all, each at once.
    ///
    /// - Throws: What the first that refuses throws.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }

    /// Asks all, and waits for those that have to wait.
    ///
    /// - Throws: What the first that refuses throws.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        for evaluator in evaluators { try await evaluator.settle(trust, forHost: host) }
    }
}
