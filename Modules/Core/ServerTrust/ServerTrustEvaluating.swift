internal import AirframeTransport

/// Judges servers by what they show.
///
/// The evaluators are in AirframeSecurity; write your own by conforming to this protocol or to
/// ``AsyncServerTrustEvaluating``.
///
/// Sessions call ``evaluate(_:forHost:)`` on a thread of its own kind, outside Swift's pool, so that it may block: on a
/// lock, a file, a synchronous call over the network. An evaluation that takes longer than its limit refuses the
/// server, and its thread stays with it until it returns. 64 evaluations can run at once; others wait for a thread,
/// within the same limit.
public protocol ServerTrustEvaluating: Sendable {
    /// Whether the answer for the same server can be another one later: see ``TrustEvaluation/answerCanChange``. `true`
    /// unless the evaluator says otherwise.
    var answerCanChange: Bool { get }

    /// Returns when the server is trusted.
    ///
    /// - Parameters:
    ///   - trust: What the server showed.
    ///   - host: The host that was asked for.
    /// - Throws: Any error refuses the server. One that is no ``AFError`` is found in
    ///   ``AFError/ServerTrustFailureReason/customEvaluationFailed(error:)``.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

/// An evaluator that trusts every server, so that nothing is known of the one that answers.
package protocol UnauthenticatedTrustEvaluating: ServerTrustEvaluating {}

/// An evaluator that may have to wait: for a server that knows of revocations, a file, a question to the user.
///
/// Sessions and ``EvaluatorTrust`` ask the asynchronous form, in a task: it may suspend, and must not block its thread.
/// The synchronous one answers with what is at hand, and throws where that is not enough.
public protocol AsyncServerTrustEvaluating: ServerTrustEvaluating {
    /// Returns when the server is trusted.
    ///
    /// - Parameters:
    ///   - trust: What the server showed.
    ///   - host: The host that was asked for.
    /// - Throws: Any error refuses the server; so does a task that is cancelled.
    func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws
}

extension AsyncServerTrustEvaluating {
    /// Refuses: nothing is known without waiting.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        throw AFError.serverTrustEvaluationFailed(
            reason: .trustEvaluationFailed(error: AsynchronousEvaluationRequired(host: host)))
    }
}

extension ServerTrustEvaluating {
    /// The answer can change.
    public var answerCanChange: Bool { true }

    /// Asks in the form that the evaluator has.
    ///
    /// The synchronous form runs on a thread of `WorkerThreads`: it may block, and Swift's own threads, of which
    /// there are as many as processors, must not be blocked. A caller that is cancelled does not wait for it.
    package func settle(_ trust: ServerTrust, forHost host: String) async throws {
        if let waiting = self as? any AsyncServerTrustEvaluating {
            return try await waiting.evaluateAsync(trust, forHost: host)
        }
        try await FirstAnswer<Void>.wait { answer in
            WorkerThreads.evaluators.run {
                // The caller may have left while the evaluation was queued.
                guard answer.isOpen else { return }
                answer.give(Result { try evaluate(trust, forHost: host) })
            }
        }
    }
}

/// An evaluator that has to wait was asked for an answer at once.
public struct AsynchronousEvaluationRequired: Error, CustomStringConvertible {
    /// The host that was asked for.
    public let host: String

    /// Names the host and what to call.
    public var description: String {
        "the evaluator for \(host) has to wait for its answer: call evaluateAsync(_:forHost:) or use it in a session"
    }
}
