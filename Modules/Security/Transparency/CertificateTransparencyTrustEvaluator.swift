public import AirframeCore
internal import Foundation

/// Trusts a server whose certificate has signed certificate timestamps (SCTs) of known logs (RFC 6962).
///
/// It verifies timestamps that are embedded in the certificate (the usual form), sent in a TLS extension, or contained
/// in a stapled OCSP response (RFC 6962 §3.3).
public final class CertificateTransparencyTrustEvaluator: ServerTrustEvaluating {
    private let logs: [TransparencyLog]
    private let minimumTimestamps: Int
    private let minimumOperators: Int
    private let performDefaultValidation: Bool
    let validateHost: Bool
    private let policy: ChainPolicy

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - logs: The known logs. None are built in, because lists become outdated.
    ///   - minimumTimestamps: The minimum number of logs that must have signed.
    ///   - minimumOperators: The minimum number of operators of these logs.
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - policy: The requirements on the chain.
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

/// The error of a certificate that too few known logs have signed.
public struct TransparencyFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The requested host.
    public let host: String
    /// The missing requirement.
    public let reason: String

    /// A sentence with the host and the missing requirement.
    public var description: String { "\(host) is not published as it must be: \(reason)" }
}
