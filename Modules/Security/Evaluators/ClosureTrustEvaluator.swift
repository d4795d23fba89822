public import AirframeCore

/// An evaluator made from a closure, which may suspend, and refuses a server by throwing.
public final class ClosureTrustEvaluator: AsyncServerTrustEvaluating {
    /// Evaluates the server's evidence for the requested host.
    public typealias Evaluate = @Sendable (_ trust: ServerTrust, _ host: String) async throws -> Void

    private let closure: Evaluate

    /// Creates an evaluator from `evaluate`.
    public init(_ evaluate: @escaping Evaluate) { closure = evaluate }

    /// Calls the closure.
    ///
    /// - Throws: The errors of the closure.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        try await closure(trust, host)
    }
}
