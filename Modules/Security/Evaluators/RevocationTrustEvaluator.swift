public import AirframeCore
public import AirframeTransport

/// Trusts a server none of whose certificates is revoked.
///
/// What the server stapled is looked at first (RFC 6066 §8). Where that is not enough, the responders and lists that
/// the certificates name are asked: over the evaluator's own transport, or else over that of the session that
/// evaluates. With ``RevocationOptions/networkAccessDisabled``, and outside of a session, only what is at hand counts.
///
/// *Soft fail*, the default: a certificate of which nobody says anything passes. *Hard fail*
/// (``RevocationOptions/requirePositiveResponse``): it does not. A certificate that demands a staple (RFC 7633) is
/// refused without one in either case.
public final class RevocationTrustEvaluator: AsyncServerTrustEvaluating {
    /// What a revocation check may use and must find.
    public typealias Options = RevocationOptions

    private let performDefaultValidation: Bool
    private let validateHost: Bool
    private let options: Options
    private let check: RevocationCheck
    private let limit: Duration
    private let cache: RevocationCache

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Whether the chain must be valid too.
    ///   - validateHost: Whether the certificate must be for the host.
    ///   - options: What the check may use and must find.
    ///   - policy: What the chain is held to.
    ///   - crls: Lists to look in. One that is of an issuer in the chain must be usable.
    ///   - transport: What responders are asked and lists are fetched over; `nil` for the session's transport.
    ///   - limit: The longest that one question may take.
    ///   - cache: Where answers are kept. Evaluators can share one.
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

    /// Evaluates with what is at hand: the staple, the given lists, and what was fetched before.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/trustEvaluationFailed(error:)`` in an ``AFError``, with
    ///   ``AFError/ServerTrustFailureReason/revocationCheckFailed(output:options:)`` as its cause, or what
    ///   ``DefaultTrustEvaluator`` throws.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try judge(check.report(trust, host: host), trust)
    }

    /// Evaluates, and asks where what is at hand is not enough.
    ///
    /// - Throws: The same as ``evaluate(_:forHost:)``.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        var check = check
        if check.source == nil, let transport = trust.transport {
            check.source = RevocationSource(transport: transport, limit: limit, cache: cache)
        }
        let report = await check.reportAsync(trust, host: host)
        // Who is cancelled was not answered: that must not pass for "nobody says anything".
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

    /// Whether there is who could revoke the server's certificate. One that is trusted by itself needs nobody.
    private func isIssuerKnown(in report: TrustReport) -> Bool {
        guard let certificate = report.chain.first else { return false }
        return report.chain.count > 1 || certificate.isSelfIssued || !report.findings.contains { $0.kind == .chain }
    }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
    /// Checks for revocation: by what the server stapled, and by asking over the session's transport.
    public static var revocationChecking: RevocationTrustEvaluator { RevocationTrustEvaluator() }

    /// Checks for revocation.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Whether the chain must be valid too.
    ///   - validateHost: Whether the certificate must be for the host.
    ///   - options: What the check may use and must find.
    ///   - policy: What the chain is held to.
    ///   - transport: What responders are asked and lists are fetched over; `nil` for the session's transport.
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
