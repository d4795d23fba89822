public import AirframeCore
public import AirframeTransport

/// Trusts a server none of whose certificates is revoked.
///
/// The stapled OCSP response is checked first (RFC 6066 §8). If it does not suffice, the evaluator queries the OCSP
/// responders and CRLs that the certificates name, over its own transport or that of the session. With
/// ``RevocationOptions/networkAccessDisabled``, and outside of a session, it uses only local evidence. A fetched
/// response or CRL is used and cached only after its signature, dates and scope are verified.
///
/// *Soft fail*, the default, accepts a certificate of unknown status. *Hard fail*
/// (``RevocationOptions/requirePositiveResponse``) refuses it. A certificate that requires a staple (RFC 7633) is
/// refused without one in both modes.
public final class RevocationTrustEvaluator: AsyncServerTrustEvaluating {
    /// The methods and requirements of the check.
    public typealias Options = RevocationOptions

    private let performDefaultValidation: Bool
    let validateHost: Bool
    private let options: Options
    private let check: RevocationCheck
    private let limit: Duration
    private let cache: RevocationCache

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - options: The methods and requirements of the check.
    ///   - policy: The requirements on the chain.
    ///   - crls: The CRLs to consult. Those of issuers in the chain must be usable.
    ///   - transport: The transport for queries; `nil` for the session's transport.
    ///   - limit: The maximum duration of one query.
    ///   - cache: The cache of answers, which evaluators can share.
    public init(
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        options: Options = .any,
        policy: ChainPolicy = ChainPolicy(),
        crls: [CertificateRevocationList] = [],
        transport: (any Transport)? = nil,
        limit: Duration = .seconds(10),
        cache: RevocationCache = RevocationCache()
    ) {
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.options = options
        self.limit = limit
        self.cache = cache
        let source = transport.map { RevocationSource(transport: $0, limit: limit, cache: cache) }
        check = RevocationCheck(options: options, policy: policy, lists: crls, source: source)
    }

    /// Evaluates with local evidence: the staple, the given CRLs, and cached answers.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/trustEvaluationFailed(error:)`` in an ``AFError``, with
    ///   ``AFError/ServerTrustFailureReason/revocationCheckFailed(output:options:)`` as its cause, or an error of
    ///   ``DefaultTrustEvaluator``.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try judge(check.report(trust, host: host), trust)
    }

    /// Evaluates, and queries responders and CRLs if local evidence does not suffice.
    ///
    /// - Throws: The same as ``evaluate(_:forHost:)``.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        var check = check
        if check.source == nil, let transport = trust.transport {
            check.source = RevocationSource(transport: transport, limit: limit, cache: cache)
        }
        let report = await check.reportAsync(trust, host: host)
        // A cancelled query has no answer, which must not be mistaken for an unknown status.
        try Task.checkCancellation()
        try judge(report, trust)
    }

    private func judge(_ report: TrustReport, _ trust: ServerTrust) throws {
        var unrelated = report
        unrelated.findings.removeAll { $0.kind == .revocation }
        if performDefaultValidation { try unrelated.requireChain(trust) }
        if validateHost { try unrelated.requireHost(trust) }
        let isAtFault = report.findings.contains { $0.kind == .revocation }
        guard isAtFault || !isIssuerKnown(in: report) else { return }
        throw AFError.evaluationFailed(
            .revocationCheckFailed(
                output: report.output(trust, isAtFault ? [.revocation] : [.chain]),
                options: options
            )
        )
    }

    /// Returns whether the issuer that could have revoked the server's certificate is known: the chain has a
    /// certificate that signed it. A certificate that is its own anchor has none.
    private func isIssuerKnown(in report: TrustReport) -> Bool {
        guard let certificate = report.chain.first else { return false }
        return report.authenticated.count > 1 || certificate.isSelfIssued
            || !report.findings.contains { $0.kind == .chain }
    }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
    /// Checks for revocation, by the stapled response and by queries over the session's transport.
    public static var revocationChecking: RevocationTrustEvaluator { RevocationTrustEvaluator() }

    /// Checks for revocation.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Whether the chain must also be valid.
    ///   - validateHost: Whether the certificate must be valid for the host.
    ///   - options: The methods and requirements of the check.
    ///   - policy: The requirements on the chain.
    ///   - transport: The transport for queries; `nil` for the session's transport.
    public static func revocationChecking(
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        options: RevocationTrustEvaluator.Options = .any,
        policy: ChainPolicy = ChainPolicy(),
        transport: (any Transport)? = nil
    ) -> RevocationTrustEvaluator {
        RevocationTrustEvaluator(
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost,
            options: options,
            policy: policy,
            transport: transport
        )
    }
}
