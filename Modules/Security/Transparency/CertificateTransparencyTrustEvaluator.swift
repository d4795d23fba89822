public import AirframeCore
internal import Foundation

/// Trusts a server whose certificate was published: logs that are known have signed that they have it (RFC 6962).
///
/// It looks at the timestamps that are embedded in the certificate, as nearly all are, at those that the server sent as
/// an extension of TLS, and at those in a stapled OCSP response.
public final class CertificateTransparencyTrustEvaluator: ServerTrustEvaluating {
    private let logs: [TransparencyLog]
    private let minimumTimestamps: Int
    private let minimumOperators: Int
    private let performDefaultValidation: Bool
    private let validateHost: Bool
    private let policy: ChainPolicy

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - logs: The logs that count. None are built in: lists grow old.
    ///   - minimumTimestamps: How many logs must have signed.
    ///   - minimumOperators: How many operators must be among them.
    ///   - performDefaultValidation: Whether the chain must be valid too.
    ///   - validateHost: Whether the certificate must be for the host.
    ///   - policy: What the chain is held to.
    public init(
        logs: [TransparencyLog],
        minimumTimestamps: Int = 2,
        minimumOperators: Int = 2,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        policy: ChainPolicy = ChainPolicy()
    ) {
        self.logs = logs
        self.minimumTimestamps = minimumTimestamps
        self.minimumOperators = minimumOperators
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.policy = policy
    }

    /// Evaluates the server's certificate.
    ///
    /// - Throws: An ``AFError`` with a ``TransparencyFailure`` in
    ///   ``AFError/ServerTrustFailureReason/customEvaluationFailed(error:)``, or with a reason of
    ///   ``DefaultTrustEvaluator``'s.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        let report = trust.report(forHost: host, policy: policy)
        if performDefaultValidation { try report.requireChain(trust) }
        if validateHost { try report.requireHost(trust) }
        guard !report.authenticated.isEmpty else { return try refuse(host, "it showed no certificate") }
        let evidence = TimestampEvidence(report.authenticated, trust, at: report.date)
        var signers: [TransparencyLog] = []
        for item in evidence.items where item.timestamp.timestamp <= report.date {
            let log = logs.first { log in
                log.retiredAt.map { item.timestamp.timestamp < $0 } ?? true
                    && item.verification.isValid(item.timestamp, by: log)
            }
            if let log, !signers.contains(log) { signers.append(log) }
        }
        let operators = Set(signers.map(\.operator))
        guard signers.count >= minimumTimestamps, operators.count >= minimumOperators else {
            let names = signers.isEmpty ? "none" : signers.map(\.name).joined(separator: ", ")
            return try refuse(
                host,
                "of the \(evidence.items.count) timestamps of its certificate \(signers.count) logs that are known have "
                    + "signed some (\(names)), of \(operators.count) operators; needed are \(minimumTimestamps) logs of "
                    + "\(minimumOperators) operators"
            )
        }
    }

    private func refuse(_ host: String, _ reason: String) throws {
        throw AFError.serverTrustEvaluationFailed(
            reason: .customEvaluationFailed(error: TransparencyFailure(host: host, reason: reason))
        )
    }
}

/// Too few known logs have signed for a server's certificate.
public struct TransparencyFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The host that was asked for.
    public let host: String
    /// What is missing.
    public let reason: String

    /// Names the host and what is missing.
    public var description: String { "\(host) is not published as it must be: \(reason)" }
}
