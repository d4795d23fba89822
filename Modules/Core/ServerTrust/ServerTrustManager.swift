public import AirframeTransport

/// Says, host by host, who judges servers and as whom the client appears.
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
    /// Whether a host without an evaluator is refused. Where it is not, the engine judges such a host by the system's
    /// roots and the host's name.
    public let allHostsMustBeEvaluated: Bool
    /// The evaluators by host, or by pattern: see ``HostPattern``.
    public let evaluators: [String: any ServerTrustEvaluating]
    /// The identities that servers are shown, by host or by pattern.
    public let clientIdentities: [String: ClientIdentity]

    private let table: HostTable<EvaluatorTrust>
    private let identities: HostTable<ClientIdentity>
    private let limit: Duration

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is refused.
    ///   - evaluators: The evaluators by host, or by pattern: see ``HostPattern``. The closest pattern counts.
    ///   - clientIdentities: The identities that servers are shown, by host or by pattern. For other hosts it is the
    ///     one of the session's configuration.
    ///   - evaluationLimit: The longest that an evaluation may take before it refuses.
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

    /// The evaluator for a host.
    ///
    /// - Parameter host: The host, without brackets.
    /// - Throws: ``AFError/ServerTrustFailureReason/noRequiredEvaluator(host:)`` in an ``AFError`` when there is none,
    ///   and every host must have one.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        guard let trust = table[host] else {
            guard allHostsMustBeEvaluated else { return nil }
            throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
        }
        return trust.evaluator
    }

    /// The identity that a host is shown; `nil` for that of the session's configuration.
    ///
    /// - Parameter host: The host, without brackets.
    open func clientIdentity(forHost host: String) -> ClientIdentity? { identities[host] }

    /// What the transport asks about servers of `origin`.
    ///
    /// - Throws: What ``serverTrustEvaluator(forHost:)`` throws; an error of a subclass's own is found in
    ///   ``AFError/ServerTrustFailureReason/customEvaluationFailed(error:)``.
    public func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        // Requests in the clear have no certificates to judge.
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
        // A subclass may answer differently each time; for this class the table's own entry keeps the key of an
        // evaluator that is a mere value, so that its connections can be used again.
        if type(of: self) == ServerTrustManager.self, let known = table[origin.host] { return known }
        return EvaluatorTrust(evaluator, limit: limit)
    }

    /// The identity that servers of `origin` are shown.
    public func identity(for origin: Origin) -> ClientIdentity? {
        origin.isSecure ? clientIdentity(forHost: origin.host) : nil
    }
}
