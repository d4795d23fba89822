internal import AirframeTransport

/// Evaluates the certificates of servers.
///
/// The evaluators are in AirframeSecurity; write your own by conforming to this protocol or to
/// ``AsyncServerTrustEvaluating``.
///
/// Sessions call ``evaluate(_:forHost:)`` on a thread outside Swift's pool, so that the evaluator may block: on a lock,
/// a file, a synchronous call over the network. An evaluation that exceeds its time limit rejects the server and
/// occupies its thread until it returns. Up to 64 evaluations run at the same time; others wait for a thread within the
/// same limit.
public protocol ServerTrustEvaluating: Sendable {
    /// Whether the result for the same server can change later: see ``TrustEvaluation/answerCanChange``. `true` by
    /// default.
    var answerCanChange: Bool { get }

    /// Returns if the server is trusted.
    ///
    /// - Parameters:
    ///   - trust: The server's certificates and stapled response.
    ///   - host: The host of the request.
    /// - Throws: Any error rejects the server. An error that is not an ``AFError`` is reported in
    ///   ``AFError/ServerTrustFailureReason/customEvaluationFailed(error:)``.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

/// An evaluator that trusts every server, so that the server is not authenticated.
package protocol UnauthenticatedTrustEvaluating: ServerTrustEvaluating {}

/// An evaluator that may have to wait, for example for a revocation server, a file or the user.
///
/// Sessions and ``EvaluatorTrust`` call the asynchronous form in a task: it may suspend, and must not block its thread.
/// The synchronous form uses the data that it has, and throws if that is not enough.
public protocol AsyncServerTrustEvaluating: ServerTrustEvaluating {
    /// Returns if the server is trusted.
    ///
    /// - Parameters:
    ///   - trust: The server's certificates and stapled response.
    ///   - host: The host of the request.
    /// - Throws: Any error rejects the server, as does a cancelled task.
    func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws
}

extension AsyncServerTrustEvaluating {
    /// Rejects the server, because the evaluator cannot answer without waiting.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/trustEvaluationFailed(error:)`` in an ``AFError``, always.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        throw AFError.serverTrustEvaluationFailed(
            reason: .trustEvaluationFailed(error: AsynchronousEvaluationRequired(host: host)))
    }
}

extension ServerTrustEvaluating {
    /// `true`: the result can change.
    public var answerCanChange: Bool { true }

    /// Calls the synchronous or asynchronous form of the evaluator.
    ///
    /// The synchronous form runs on a thread of `WorkerThreads`, because it may block: Swift's pool has only as many
    /// threads as there are processors. A cancelled caller does not wait for it.
    package func settle(_ trust: ServerTrust, forHost host: String) async throws {
        if let waiting = self as? any AsyncServerTrustEvaluating {
            return try await waiting.evaluateAsync(trust, forHost: host)
        }
        try await FirstAnswer<Void>.wait { answer in
            WorkerThreads.evaluators.run {
                // The caller may have been cancelled while the evaluation was queued.
                guard answer.isOpen else { return }
                answer.give(Result { try evaluate(trust, forHost: host) })
            }
        }
    }
}

/// An asynchronous evaluator was called synchronously.
public struct AsynchronousEvaluationRequired: Error, CustomStringConvertible {
    /// The host of the request.
    public let host: String

    /// Names the host and what to call.
    public var description: String {
        "the evaluator for \(host) is asynchronous: call evaluateAsync(_:forHost:) or use the evaluator in a session"
    }
}
