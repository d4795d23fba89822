/// Judges servers by what they show.
///
/// The evaluators are in AirframeSecurity; write your own by conforming to this protocol or to
/// ``AsyncServerTrustEvaluating``.
public protocol ServerTrustEvaluating: Sendable {
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
/// Sessions and ``EvaluatorTrust`` ask the asynchronous form. The synchronous one answers with what is at hand, and
/// throws where that is not enough.
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
    /// Asks in the form that the evaluator has: one that may wait is waited for.
    package func settle(_ trust: ServerTrust, forHost host: String) async throws {
        if let waiting = self as? any AsyncServerTrustEvaluating {
            try await waiting.evaluateAsync(trust, forHost: host)
        } else {
            try evaluate(trust, forHost: host)
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
