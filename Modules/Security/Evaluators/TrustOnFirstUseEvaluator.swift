public import AirframeCore

/// Trusts the first key that a server presents, and later no other key, like SSH.
///
/// For devices and servers without an authority. The first contact is the weak point: an attacker present at that time
/// is trusted permanently.
///
/// The key is that of the certificate with which the server proved its identity in the handshake. A server whose own
/// certificate is malformed is refused, whatever else it sent.
public final class TrustOnFirstUseEvaluator: ServerTrustEvaluating {
    private let store: any FirstUseStore
    private let performDefaultValidation: Bool
    let validateHost: Bool
    private let policy: ChainPolicy

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - store: The store of keys.
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host, and its chain valid.
    ///   - policy: The requirements on the chain.
    public init(
        store: any FirstUseStore,
        performDefaultValidation: Bool = false,
        validateHost: Bool = false,
        policy: ChainPolicy = ChainPolicy()
    ) {
        self.store = store
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.policy = policy
    }

    /// Compares the server's key with the stored one, or stores it.
    ///
    /// - Throws: An ``AFError`` with a ``PinningFailure``, an error of the store, or a reason of
    ///   ``DefaultTrustEvaluator``, also for a server without a certificate that can be read.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        let report = trust.report(forHost: host, policy: policy)
        if performDefaultValidation { try report.requireChain(trust) }
        if validateHost { try report.requireHost(trust) }
        guard let pin = report.presented.first?.publicKey.pin else {
            throw AFError.evaluationFailed(.defaultEvaluationFailed(output: report.output(trust, [.chain])))
        }
        let known: String
        do {
            known = try store.remember(pin, forHost: HostName.normalized(host), port: trust.port)
        } catch {
            throw AFError.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error))
        }
        guard known != pin else { return }
        throw AFError.serverTrustEvaluationFailed(
            reason: .customEvaluationFailed(error: PinningFailure(host: host, pins: [known], serverPins: [pin]))
        )
    }
}

/// A store of the keys of servers.
public protocol FirstUseStore: Sendable {
    /// Returns the stored pin of the server; if none is stored, stores `pin` and returns it. The operation must be
    /// atomic: of two concurrent first connections only one may store its pin.
    ///
    /// - Parameters:
    ///   - pin: The pin of the key that the server presented.
    ///   - host: The host.
    ///   - port: The port.
    /// - Throws: Any error. The server is then rejected, because a key that is not stored must not be trusted.
    func remember(_ pin: String, forHost host: String, port: Int) throws -> String
}
