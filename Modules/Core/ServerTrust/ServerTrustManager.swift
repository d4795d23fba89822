public import AirframeTransport

/// Provides the evaluators of servers' certificates and the client's identities by host.
///
/// ```text
/// let manager = ServerTrustManager(evaluators: [
///     "api.test": PublicKeysTrustEvaluator(),
///     "*.cdn.test": DefaultTrustEvaluator(),
/// ])
/// let session = Session(serverTrustManager: manager)
/// ```
///
/// Open, so that a subclass can choose evaluators by rules of its own.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable.
open class ServerTrustManager: OriginSecurity, @unchecked Sendable {
    /// Whether a host without an evaluator is rejected. Otherwise the engine evaluates such a host by the system's
    /// roots and the host's name.
    public let allHostsMustBeEvaluated: Bool
    /// The evaluators by host, or by pattern: see ``HostPattern``.
    public let evaluators: [String: any ServerTrustEvaluating]
    /// The client's identities, by host or by pattern.
    public let clientIdentities: [String: ClientIdentity]

    private let table: HostTable<EvaluatorTrust>
    private let identities: HostTable<ClientIdentity>
    private let limit: Duration

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is rejected.
    ///   - evaluators: The evaluators by host, or by pattern: see ``HostPattern``. The most specific pattern applies.
    ///   - clientIdentities: The client's identities, by host or by pattern. Other hosts get the identity of the
    ///     session's configuration.
    ///   - evaluationLimit: The maximum duration of an evaluation before it rejects the server.
    public init(
        allHostsMustBeEvaluated: Bool = true,
        evaluators: [String: any ServerTrustEvaluating],
        clientIdentities: [String: ClientIdentity] = [:],
        evaluationLimit: Duration = .seconds(60)
    ) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
        self.clientIdentities = clientIdentities
        limit = evaluationLimit
        table = HostTable(evaluators.mapValues { EvaluatorTrust($0, limit: evaluationLimit) })
        identities = HostTable(clientIdentities)
    }

    /// Returns the evaluator for a host.
    ///
    /// - Parameter host: The host, without brackets.
    /// - Throws: ``AFError/ServerTrustFailureReason/noRequiredEvaluator(host:)`` in an ``AFError`` if there is none and
    ///   every host must have one.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        guard let trust = table[host] else {
            guard allHostsMustBeEvaluated else { return nil }
            throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
        }
        return trust.evaluator
    }

    /// Returns the client's identity for a host; `nil` for that of the session's configuration.
    ///
    /// - Parameter host: The host, without brackets.
    open func clientIdentity(forHost host: String) -> ClientIdentity? { identities[host] }

    /// Returns the evaluation of the servers of `origin`.
    ///
    /// - Throws: The error of ``serverTrustEvaluator(forHost:)``. A subclass's own error is reported in
    ///   ``AFError/ServerTrustFailureReason/customEvaluationFailed(error:)``.
    public func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        // Only TLS connections have certificates.
        guard origin.isSecure else { return nil }
        let evaluator: (any ServerTrustEvaluating)?
        do {
            evaluator = try serverTrustEvaluator(forHost: origin.host)
        } catch let error as AFError {
            throw error
        } catch {
            throw AFError.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error))
        }
        guard let evaluator else { return nil }
        // A subclass may choose another evaluator each time. For this class, the table's entry keeps the key of an
        // evaluator that is a value, so that its connections can be reused.
        if type(of: self) == ServerTrustManager.self, let known = table[origin.host] { return known }
        return EvaluatorTrust(evaluator, limit: limit)
    }

    /// Returns the client's identity for the servers of `origin`.
    public func identity(for origin: Origin) -> ClientIdentity? {
        origin.isSecure ? clientIdentity(forHost: origin.host) : nil
    }
}
