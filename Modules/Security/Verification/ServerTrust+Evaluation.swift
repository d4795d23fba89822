public import AirframeCore
internal import AirframeTransport
public import Foundation

extension ServerTrust {
    /// A trust from certificates that came from elsewhere: a file, another program, a log.
    ///
    /// - Parameters:
    ///   - certificates: The server's certificate first, then those that lead to its root.
    ///   - host: The host that it should be for.
    ///   - port: The port.
    ///   - evaluationDate: The time to evaluate for; `nil` for the time of the evaluation.
    public convenience init(
        certificates: [Certificate],
        host: String,
        port: Int = 443,
        evaluationDate: Date? = nil
    ) {
        self.init(chain: certificates.map(\.der), host: host, port: port, evaluationDate: evaluationDate)
    }

    /// Builds and checks the chain, and says all that was found.
    ///
    /// - Parameters:
    ///   - host: The host; `nil` for ``host``.
    ///   - policy: What the chain is held to.
    public func report(forHost host: String? = nil, policy: ChainPolicy = ChainPolicy()) -> TrustReport {
        ChainEvaluation(self, host: host ?? self.host, policy: policy).report()
    }
}

extension TrustReport {
    /// An output for an error, about findings of these kinds.
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

    /// Throws when the chain is at fault.
    func requireChain(_ trust: ServerTrust) throws {
        guard findings.contains(where: { $0.kind != .host }) else { return }
        throw AFError.evaluationFailed(.defaultEvaluationFailed(output: output(trust, [.chain, .revocation])))
    }

    /// Throws when the certificate is not for the host, or the chain is at fault: a name proves nothing without it.
    func requireHost(_ trust: ServerTrust) throws {
        guard !isTrusted else { return }
        let kinds: Set<Finding.Kind> =
            findings.contains { $0.kind == .host } ? [.host] : [.chain, .revocation]
        throw AFError.evaluationFailed(.hostValidationFailed(output: output(trust, kinds)))
    }
}

extension ChainEvaluation {
    /// Evaluates what a server showed, by the trust's own anchors and date.
    init(_ trust: ServerTrust, host: String, policy: ChainPolicy) {
        self.init(trust.chain, host: host, name: HostName.normalized(host), policy: policy)
        anchors = trust.anchorCertificates
        evaluationDate = trust.evaluationDate
    }
}
