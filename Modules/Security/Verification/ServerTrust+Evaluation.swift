public import AirframeCore
internal import AirframeTransport
public import Foundation

extension ServerTrust {
    /// Creates a trust of certificates from a file, another program or a log.
    ///
    /// - Parameters:
    ///   - certificates: The server's certificate, then its intermediates.
    ///   - host: The host that it should be valid for.
    ///   - port: The port.
    ///   - evaluationDate: The date to evaluate for; `nil` for the time of the evaluation.
    public convenience init(
        certificates: [Certificate],
        host: String,
        port: Int = 443,
        evaluationDate: Date? = nil
    ) {
        self.init(chain: certificates.map(\.der), host: host, port: port, evaluationDate: evaluationDate)
    }

    /// Builds and checks the chain, and returns all findings.
    ///
    /// - Parameters:
    ///   - host: The host; `nil` for ``host``.
    ///   - policy: The requirements on the chain.
    public func report(forHost host: String? = nil, policy: ChainPolicy = ChainPolicy()) -> TrustReport {
        ChainEvaluation(self, host: host ?? self.host, policy: policy).report()
    }
}

extension TrustReport {
    /// Returns the output of an error about findings of these kinds.
    func output(_ trust: ServerTrust, _ kinds: Set<Finding.Kind>) -> AFError.ServerTrustFailureReason.Output {
        let found = findings.filter { kinds.contains($0.kind) }
        return AFError.ServerTrustFailureReason.Output(
            host: host,
            trust: trust,
            status: found.first?.status ?? 0,
            result: found.contains { Status.isFatal($0.status) } ? .fatalTrustFailure : .recoverableTrustFailure,
            reason: reason(kinds)
        )
    }

    /// Throws if the chain is invalid.
    func requireChain(_ trust: ServerTrust) throws {
        guard findings.contains(where: { $0.kind != .host }) else { return }
        throw AFError.evaluationFailed(.defaultEvaluationFailed(output: output(trust, [.chain, .revocation])))
    }

    /// Throws if the certificate is not valid for the host, or the chain is invalid: without it a name proves nothing.
    func requireHost(_ trust: ServerTrust) throws {
        guard !isTrusted else { return }
        let kinds: Set<Finding.Kind> =
            findings.contains { $0.kind == .host } ? [.host] : [.chain, .revocation]
        throw AFError.evaluationFailed(.hostValidationFailed(output: output(trust, kinds)))
    }
}

extension ChainEvaluation {
    /// Evaluates the server's evidence by the trust's anchors and date.
    init(_ trust: ServerTrust, host: String, policy: ChainPolicy) {
        self.init(trust.chain, host: host, name: HostName.normalized(host), policy: policy)
        anchors = trust.anchorCertificates
        evaluationDate = trust.evaluationDate
    }
}
