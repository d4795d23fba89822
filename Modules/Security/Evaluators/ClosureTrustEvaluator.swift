public import AirframeCore

/// A closure as an evaluator. It may wait, and refuses by throwing.
public final class ClosureTrustEvaluator: AsyncServerTrustEvaluating {
    /// What the server showed, and the host that was asked for.
    public typealias Evaluate = @Sendable (_ trust: ServerTrust, _ host: String) async throws -> Void

    private let closure: Evaluate

    /// Wraps `evaluate`.
    public init(_ evaluate: @escaping Evaluate) { closure = evaluate }

    /// Asks the closure.
    ///
    /// - Throws: What the closure throws.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        try await closure(trust, host)
    }
}
