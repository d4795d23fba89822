public import AirframeCore
public import AirframeTransport

/// Has another evaluator judge, and where that misses the issuer of a certificate, fetches it from where the
/// certificate says that it is (RFC 5280 §4.2.2.1): for servers that forget to send their intermediates.
///
/// No other evaluator does so. The place is named by a certificate that nobody has verified yet, so that a stranger can
/// have this client send a `GET` to any address under `http`: give it a transport that reaches only what it may. What
/// comes is used only if its key has signed the certificate that named it, and whether it leads to a trusted root is
/// for the other evaluator to say.
///
/// ```swift
/// import AirframeCore
/// import AirframeSecurity
/// import AirframeTransport
///
/// func evaluator(over transport: any Transport) -> any ServerTrustEvaluating {
///     IssuerFetchingTrustEvaluator(DefaultTrustEvaluator(), transport: transport)
/// }
/// ```
public final class IssuerFetchingTrustEvaluator: AsyncServerTrustEvaluating {
    /// The most certificates that are fetched for one chain.
    private static let mostFetches = 4

    private let evaluator: any ServerTrustEvaluating
    private let source: IssuerSource

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - evaluator: Who judges. It may be asked several times in one handshake, each time about a longer chain.
    ///   - transport: What certificates are fetched over.
    ///   - limit: The longest that one fetch may take.
    ///   - cache: Where certificates are kept. Evaluators can share one.
    public init(
        _ evaluator: any ServerTrustEvaluating,
        transport: any Transport,
        limit: Duration = .seconds(10),
        cache: IssuerCache = IssuerCache()
    ) {
        self.evaluator = evaluator
        source = IssuerSource(fetch: ClearFetch(transport: transport, limit: limit), cache: cache)
    }

    /// Evaluates with what is at hand: what the server sent, and what was fetched before.
    ///
    /// - Throws: What the other evaluator throws.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        var trust = trust
        for _ in 0..<Self.mostFetches {
            do {
                return try evaluator.evaluate(trust, forHost: host)
            } catch let error as AFError where error.isAboutMissingIssuer {
                guard let last = trust.lastSigned, let issuer = source.known(issuerOf: last) else { throw error }
                trust = trust.adding(issuer)
            }
        }
        try evaluator.evaluate(trust, forHost: host)
    }

    /// Evaluates, and fetches what is missing.
    ///
    /// - Throws: What the other evaluator throws.
    public func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws {
        var trust = trust
        for _ in 0..<Self.mostFetches {
            do {
                return try await evaluator.settle(trust, forHost: host)
            } catch let error as AFError where error.isAboutMissingIssuer {
                guard let last = trust.lastSigned, let issuer = await source.issuer(of: last) else { throw error }
                trust = trust.adding(issuer)
            }
        }
        try await evaluator.settle(trust, forHost: host)
    }
}

extension ServerTrustEvaluating where Self == IssuerFetchingTrustEvaluator {
    /// Has another evaluator judge, and fetches issuers that it misses.
    ///
    /// - Parameters:
    ///   - evaluator: Who judges.
    ///   - transport: What certificates are fetched over.
    public static func fetchingIssuers(
        _ evaluator: any ServerTrustEvaluating,
        transport: any Transport
    ) -> IssuerFetchingTrustEvaluator {
        IssuerFetchingTrustEvaluator(evaluator, transport: transport)
    }
}

extension AFError {
    /// Whether a chain was refused because nobody knows who issued one of its certificates.
    fileprivate var isAboutMissingIssuer: Bool {
        guard case .serverTrustEvaluationFailed(let reason) = self,
            case .defaultEvaluationFailed(let output) = reason.cause
        else { return false }
        return Status.missesIssuer(output.status)
    }
}

extension ServerTrust {
    /// The certificate up to which signatures lead from the server's own: the one whose issuer is missing.
    fileprivate var lastSigned: Certificate? {
        let certificates = chain.prefix(ChainEvaluation.mostCertificates).compactMap { try? Certificate(der: $0) }
        guard var last = certificates.first, last.der == chain.first else { return nil }
        var seen: Set<Certificate> = [last]
        while let issuer = certificates.first(where: { !seen.contains($0) && last.isSigned(by: $0) }) {
            seen.insert(issuer)
            last = issuer
        }
        return last.isSelfIssued ? nil : last
    }

    fileprivate func adding(_ certificate: Certificate) -> ServerTrust {
        let trust = ServerTrust(
            chain: chain + [certificate.der],
            host: host,
            port: port,
            stapledOCSPResponse: stapledOCSPResponse,
            signedCertificateTimestampList: signedCertificateTimestampList,
            evaluationDate: evaluationDate
        )
        trust.anchorCertificates = anchorCertificates
        trust.policies = policies
        trust.transport = transport
        return trust
    }
}
