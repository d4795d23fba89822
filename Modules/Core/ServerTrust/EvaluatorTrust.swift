public import AirframeTransport

/// A ``ServerTrustEvaluating`` as the evaluation of a transport, for requests without a session.
///
/// ```text
/// request.trust = EvaluatorTrust(DefaultTrustEvaluator())
/// ```
public struct EvaluatorTrust: TrustEvaluation {
    /// The evaluator.
    public let evaluator: any ServerTrustEvaluating
    /// The maximum duration of an evaluation. A longer one rejects the server.
    public let limit: Duration
    /// The evaluator's identity: connections that it trusted are kept for it alone.
    public let key: TrustKey
    /// The transport for the evaluator's own requests.
    private var transport: (any Transport)?

    /// The property of the evaluator.
    public var answerCanChange: Bool { evaluator.answerCanChange }

    /// Creates an evaluation by `evaluator`.
    ///
    /// - Parameters:
    ///   - evaluator: The evaluator.
    ///   - limit: The maximum duration of an evaluation.
    public init(_ evaluator: any ServerTrustEvaluating, limit: Duration = .seconds(60)) {
        self.evaluator = evaluator
        self.limit = limit
        key = TrustKey(judge: evaluator)
    }

    /// Returns the same evaluation with a transport for the evaluator's own requests.
    func asking(over transport: any Transport) -> EvaluatorTrust {
        var copy = self
        copy.transport = transport
        return copy
    }

    /// Whether the evaluator establishes which server answers: `false` for one that trusts every server.
    public var authenticatesServer: Bool { !(evaluator is any UnauthenticatedTrustEvaluating) }

    /// Evaluates with the evaluator.
    ///
    /// - Parameters:
    ///   - chain: The certificates as the server sent them, its own first.
    ///   - host: The host that the request names, without brackets.
    ///   - port: The port.
    ///   - stapledOCSPResponse: The OCSP response that the server stapled (RFC 6066 §8), in DER; `nil` for none.
    /// - Throws: An ``AFError``; see ``ServerTrustEvaluating/evaluate(_:forHost:)``.
    public func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {
        try await evaluate(
            ServerPresentation(chain: chain, host: host, port: port, stapledOCSPResponse: stapledOCSPResponse))
    }

    /// Evaluates a server's presentation with the evaluator.
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

    /// Waits for the evaluator or the time limit: an evaluator that ignores its cancellation, or blocks its thread, is
    /// not awaited.
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

/// An evaluation and the timer that limits it.
private final class TaskPair {
    private var tasks: [Task<Void, Never>] = []

    func hold(_ tasks: Task<Void, Never>...) { self.tasks = tasks }

    func cancel() { for task in tasks { task.cancel() } }
}

/// An evaluation exceeded its time limit.
public struct EvaluationTimedOut: Error, CustomStringConvertible {
    /// The host of the request.
    public let host: String
    /// The time limit.
    public let limit: Duration

    /// Names the host and the limit.
    public var description: String { "the evaluation of \(host) took longer than \(limit)" }
}
