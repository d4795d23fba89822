public import AirframeCore
public import AirframeTransport

/// Wraps an evaluator, and fetches missing issuers from the URLs in certificates (RFC 5280 §4.2.2.1), for servers that
/// do not send their intermediates.
///
/// No other evaluator fetches issuers. The URL is part of an unverified certificate, so an attacker can make this
/// client send a `GET` to any `http` URL: use a transport that only reaches permitted hosts. A fetched certificate is
/// used only if its key signed the certificate that named it. The wrapped evaluator decides whether it leads to a
/// trusted root.
///
/// Nothing is fetched for an evaluator with pins that validates neither the chain nor the host: a server that does not
/// send a pinned issuer is refused.
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
    /// The maximum number of certificates to fetch for one chain.
    private static let mostFetches = 4

    private let evaluator: any ServerTrustEvaluating
    private let source: IssuerSource

    /// Creates an evaluator.
    ///
    /// - Parameters:
    ///   - evaluator: The wrapped evaluator. It may be called several times in one handshake, with a growing chain.
    ///   - transport: The transport for fetches.
    ///   - limit: The maximum duration of one fetch.
    ///   - cache: The cache of fetched certificates, which evaluators can share.
    public init(
        _ evaluator: any ServerTrustEvaluating,
        transport: any Transport,
        limit: Duration = .seconds(10),
        cache: IssuerCache = IssuerCache()
    ) {
        self.evaluator = evaluator
        source = IssuerSource(fetch: ClearFetch(transport: transport, limit: limit), cache: cache)
    }

    private init(_ evaluator: any ServerTrustEvaluating, source: IssuerSource) {
        self.evaluator = evaluator
        self.source = source
    }

    /// Evaluates with the certificates that the server sent and those that are cached.
    ///
    /// - Throws: The errors of the wrapped evaluator.
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

    /// Evaluates, and fetches missing issuers.
    ///
    /// - Throws: The errors of the wrapped evaluator.
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

extension IssuerFetchingTrustEvaluator: WrappingTrustEvaluating, HostValidatingTrustEvaluating {
    func mapped(
        _ transform: (any ServerTrustEvaluating) -> any ServerTrustEvaluating
    ) -> any ServerTrustEvaluating {
        IssuerFetchingTrustEvaluator(transform(evaluator), source: source)
    }

    var validateHost: Bool { evaluator.isHostValidated }
}

extension ServerTrustEvaluating where Self == IssuerFetchingTrustEvaluator {
    /// Wraps an evaluator, and fetches missing issuers.
    ///
    /// - Parameters:
    ///   - evaluator: The wrapped evaluator.
    ///   - transport: The transport for fetches.
    public static func fetchingIssuers(
        _ evaluator: any ServerTrustEvaluating,
        transport: any Transport
    ) -> IssuerFetchingTrustEvaluator {
        IssuerFetchingTrustEvaluator(evaluator, transport: transport)
    }
}

extension AFError {
    /// Whether the chain was refused because the issuer of one of its certificates is unknown.
    fileprivate var isAboutMissingIssuer: Bool {
        guard case .serverTrustEvaluationFailed(let reason) = self else { return false }
        switch reason.cause {
        // An evaluator without default validation refuses such a chain when it validates the host, or revocation.
        case .defaultEvaluationFailed(let output), .hostValidationFailed(let output),
            .revocationCheckFailed(let output, _):
            return Status.missesIssuer(output.status)
        default: return false
        }
    }
}

extension ServerTrust {
    /// Returns the last certificate that is connected to the server's by signatures: the one whose issuer is missing.
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
