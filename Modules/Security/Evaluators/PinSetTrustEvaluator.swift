public import AirframeCore

/// Trusts a server one of whose public keys has a pin in a ``PinSet``.
///
/// Like ``PublicKeysTrustEvaluator``, for pins in code or configuration. It compares the same keys. After the pins'
/// ``PinSet/expiry`` an evaluator that validates neither the chain nor the host validates both.
public final class PinSetTrustEvaluator: ServerTrustEvaluating {
    private let pinSet: PinSet
    private let performDefaultValidation: Bool
    let validateHost: Bool
    private let policy: ChainPolicy

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - pinSet: The pins.
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - policy: The requirements on the chain.
    public init(
        _ pinSet: PinSet,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        policy: ChainPolicy = ChainPolicy()
    ) {
        self.pinSet = pinSet
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.policy = policy
    }

    /// Evaluates the chain.
    ///
    /// - Throws: An ``AFError`` with a reason ``PinningFailure`` in
    ///   ``AFError/ServerTrustFailureReason/customEvaluationFailed(error:)``, or one of ``DefaultTrustEvaluator``'s.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        let report = trust.report(forHost: host, policy: policy)
        if performDefaultValidation { try report.requireChain(trust) }
        if validateHost { try report.requireHost(trust) }
        guard pinSet.isInForce(at: report.date) else {
            guard !performDefaultValidation, !validateHost else { return }
            // The pins alone authenticated the server. A valid chain alone does not (RFC 9110 §4.3.4): anyone can get a
            // certificate for another host.
            try report.requireChain(trust)
            return try report.requireHost(trust)
        }
        guard !report.authenticated.contains(where: { pinSet.contains($0.publicKey) }) else { return }
        throw AFError.serverTrustEvaluationFailed(
            reason: .customEvaluationFailed(
                error: PinningFailure(
                    host: host,
                    pins: pinSet.pins.union(pinSet.backupPins).sorted(),
                    serverPins: report.authenticated.map(\.publicKey.pin)
                )
            )
        )
    }
}

/// The error of a server none of whose keys is pinned.
public struct PinningFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The requested host.
    public let host: String
    /// The pins, backups included.
    public let pins: [String]
    /// The pins of the server's keys, its own first.
    public let serverPins: [String]

    /// A sentence with the host, the server's pins and the expected ones.
    public var description: String {
        "none of the keys of \(host) (\(serverPins.joined(separator: ", "))) is pinned (\(pins.joined(separator: ", ")))"
    }
}
