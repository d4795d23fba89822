public import AirframeCore

/// Reports failed pins instead of refusing the server, so that pins can be tested before they are enforced.
///
/// Only failures of pinning, transparency and revocation are reported. A chain that is invalid, or not valid for the
/// host, is still refused.
public final class ReportOnlyTrustEvaluator: AsyncServerTrustEvaluating {
    /// Receives the error of a server that would have been refused.
    public typealias Report = @Sendable (_ error: AFError, _ trust: ServerTrust) -> Void

    private let evaluator: any ServerTrustEvaluating
    private let report: Report

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - evaluator: The wrapped evaluator.
    ///   - report: Receives the error of a server that would have been refused, in the task of the evaluation.
    public init(_ evaluator: any ServerTrustEvaluating, report: @escaping Report) {
        self.evaluator = evaluator
        self.report = report
    }

    /// Calls the synchronous form of the wrapped evaluator.
    ///
    /// - Throws: Its errors, except those about pinning, transparency or revocation.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        do {
            try evaluator.evaluate(trust, forHost: host)
        } catch let error as AFError where Self.isReported(error) {
            report(error, trust)
        }
    }

    /// Calls the asynchronous form of the wrapped evaluator.
    ///
    /// - Throws: Its errors, except those about pinning, transparency or revocation.
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
