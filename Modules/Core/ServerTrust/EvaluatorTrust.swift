public import AirframeTransport

/// A ``ServerTrustEvaluating`` as what a transport asks: for requests without a session.
///
/// ```text
/// request.trust = EvaluatorTrust(DefaultTrustEvaluator())
/// ```
public struct EvaluatorTrust: TrustEvaluation {
    /// Who judges.
    public let evaluator: any ServerTrustEvaluating
    /// The longest that an evaluation may take. One that takes longer refuses the server.
    public let limit: Duration
    /// The evaluator's identity: connections that it trusted are kept for it alone.
    public let key: TrustKey
    /// What the evaluator may send questions over.
    private var transport: (any Transport)?

    /// What the evaluator says of itself.
    public var answerCanChange: Bool { evaluator.answerCanChange }

    /// Wraps `evaluator`.
    ///
    /// - Parameters:
    ///   - evaluator: Who judges.
    ///   - limit: The longest that an evaluation may take.
    public init(_ evaluator: any ServerTrustEvaluating, limit: Duration = .seconds(60)) {
        self.evaluator = evaluator
        self.limit = limit
        key = TrustKey(judge: evaluator)
    }

    /// The same evaluation for a session on `transport`: its evaluator may send questions over it.
    func asking(over transport: any Transport) -> EvaluatorTrust {
        var copy = self
        copy.transport = transport
        return copy
    }

    /// Whether the evaluator establishes which server answers: `false` for one that trusts every server.
    public var authenticatesServer: Bool { !(evaluator is any UnauthenticatedTrustEvaluating) }

    /// Asks the evaluator.
    ///
    /// - Throws: An ``AFError``; see ``ServerTrustEvaluating/evaluate(_:forHost:)``.
    public func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {
        try await evaluate(
            ServerPresentation(chain: chain, host: host, port: port, stapledOCSPResponse: stapledOCSPResponse))
    }

    /// Asks the evaluator about all that a server showed.
    ///
    /// - Throws: An ``AFError``; see ``ServerTrustEvaluating/evaluate(_:forHost:)``.
    public func evaluate(_ presentation: ServerPresentation) async throws {
        let trust = ServerTrust(presentation)
        trust.transport = transport
        do {
            try await settle(trust)
        } catch let error as AFError {
            throw error
        } catch let reason as AFError.ServerTrustFailureReason {
            throw AFError.serverTrustEvaluationFailed(reason: reason)
        } catch {
            throw AFError.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error))
        }
    }

    /// The evaluator's answer, or the clock's: an evaluator that does not heed its cancellation, or blocks its thread,
    /// is not waited for.
    private func settle(_ trust: ServerTrust) async throws {
        let work = TaskPair()
        defer { work.cancel() }
        try await FirstAnswer<Void>.wait { answer in
            work.hold(
                Task {
                    do {
                        try await evaluator.settle(trust, forHost: trust.host)
                        answer.give(.success(()))
                    } catch {
                        answer.give(.failure(error))
                    }
                },
                Task {
                    try? await SystemClock.shared.sleep(for: limit)
                    guard !Task.isCancelled else { return }
                    answer.give(.failure(EvaluationTimedOut(host: trust.host, limit: limit)))
                }
            )
        }
    }
}

/// An evaluation and the clock that it runs against.
private final class TaskPair {
    private var tasks: [Task<Void, Never>] = []

    func hold(_ tasks: Task<Void, Never>...) { self.tasks = tasks }

    func cancel() { for task in tasks { task.cancel() } }
}

/// An evaluation took longer than it may.
public struct EvaluationTimedOut: Error, CustomStringConvertible {
    /// The host that was asked for.
    public let host: String
    /// What it was given.
    public let limit: Duration

    /// Names the host and the limit.
    public var description: String { "the evaluation of \(host) took longer than \(limit)" }
}
