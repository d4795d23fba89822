public import AirframeCore

/// Tells of failed pins instead of failing: to try pins out before they can lock anybody out.
///
/// Only what pins, logs and revocation have to say is let pass. A chain that is not valid, or not for the host, is
/// refused as before.
public final class ReportOnlyTrustEvaluator: AsyncServerTrustEvaluating {
    /// Told of what would have been refused.
    public typealias Report = @Sendable (_ error: AFError, _ trust: ServerTrust) -> Void

    private let evaluator: any ServerTrustEvaluating
    private let report: Report

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - evaluator: Who judges.
    ///   - report: Told of what would have been refused, where the evaluation runs.
    public init(_ evaluator: any ServerTrustEvaluating, report: @escaping Report) {
        self.evaluator = evaluator
        self.report = report
    }

    /// Evaluates at once.
    ///
    /// - Throws: What the evaluator throws, unless it is about pins, logs or revocation.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        do {
            try evaluator.evaluate(trust, forHost: host)
        } catch let error as AFError where Self.isReported(error) {
            report(error, trust)
        }
    }

    /// Evaluates, and waits where the evaluator has to.
    ///
    /// - Throws: What the evaluator throws, unless it is about pins, logs or revocation.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        do {
            try await evaluator.settle(trust, forHost: host)
        } catch let error as AFError where Self.isReported(error) {
            report(error, trust)
        }
    }

    private static func isReported(_ error: AFError) -> Bool {
        guard case .serverTrustEvaluationFailed(let reason) = error else { return false }
        switch reason.cause {
        case .certificatePinningFailed, .publicKeyPinningFailed, .revocationCheckFailed: return true
        case .customEvaluationFailed(let error): return error is PinningFailure || error is TransparencyFailure
        default: return false
        }
    }
}
