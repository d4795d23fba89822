internal import AirframeCore
internal import Synchronization

/// One evaluation of a server whose failed pins are recorded instead of thrown.
///
/// A ``CompositeTrustEvaluator`` stops at the first error. In a trial it is taken apart, so that an evaluator that
/// records its error does not keep the next ones from refusing the server.
final class TrustTrial: Sendable {
    /// Validates the chain and the host before an error is recorded; `nil` if an evaluator of the trial does.
    fileprivate let validation: DefaultTrustEvaluator?
    // Guards the first error.
    private let recorded = Mutex<AFError?>(nil)

    /// - Parameters:
    ///   - evaluator: The evaluator.
    ///   - policy: The requirements on the chain, for an evaluator that does not validate it for the host.
    init(of evaluator: any ServerTrustEvaluating, policy: ChainPolicy) {
        validation = evaluator.isHostValidated ? nil : DefaultTrustEvaluator(policy: policy)
    }

    /// The first recorded error.
    var error: AFError? { recorded.withLock { $0 } }

    /// Returns `evaluator` in the trial. Each evaluator that it consists of is wrapped separately.
    func wrapping(_ evaluator: any ServerTrustEvaluating) -> any ServerTrustEvaluating {
        guard let outer = evaluator as? any WrappingTrustEvaluating else { return TrialPart(evaluator, of: self) }
        return outer.mapped { wrapping($0) }
    }

    fileprivate func record(_ error: AFError) { recorded.withLock { $0 = $0 ?? error } }
}

/// An evaluator that calls others.
protocol WrappingTrustEvaluating: ServerTrustEvaluating {
    /// Returns the same evaluator, which calls the results of `transform` instead.
    func mapped(_ transform: (any ServerTrustEvaluating) -> any ServerTrustEvaluating) -> any ServerTrustEvaluating
}

/// An evaluator within a trial.
private final class TrialPart: AsyncServerTrustEvaluating {
    private let evaluator: any ServerTrustEvaluating
    private let trial: TrustTrial

    init(_ evaluator: any ServerTrustEvaluating, of trial: TrustTrial) {
        self.evaluator = evaluator
        self.trial = trial
    }

    func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        do {
            try evaluator.evaluate(trust, forHost: host)
        } catch let error as AFError where error.isReported {
            // Before the next evaluator, which may store the key of a server that it was called for.
            try trial.validation?.evaluate(trust, forHost: host)
            trial.record(error)
        }
    }

    func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        do {
            try await evaluator.settle(trust, forHost: host)
        } catch let error as AFError where error.isReported {
            try await trial.validation?.settle(trust, forHost: host)
            trial.record(error)
        }
    }
}

extension AFError {
    /// Whether the error is about pinning, transparency or revocation.
    fileprivate var isReported: Bool {
        guard case .serverTrustEvaluationFailed(let reason) = self else { return false }
        switch reason.cause {
        case .certificatePinningFailed, .publicKeyPinningFailed, .revocationCheckFailed: return true
        case .customEvaluationFailed(let error): return error is PinningFailure || error is TransparencyFailure
        default: return false
        }
    }
}
