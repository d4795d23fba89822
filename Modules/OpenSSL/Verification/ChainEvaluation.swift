package import AirframeTransport
package import FoundationEssentials

/// Builds and checks the chain of a server, and reports the result.
///
/// All chains are evaluated here: the engines use it if no evaluation is set, and AirframeSecurity's evaluators build
/// on it.
package struct ChainEvaluation {
    /// The certificates as the server sent them, its own first.
    package let presented: [DER]
    /// The host as shown in messages.
    package let host: String
    /// The host in the form that is compared: in lower case and ASCII, without a final dot.
    private let name: String
    private let policy: ChainPolicy
    /// The certificates that the chain must lead to, instead of the policy's.
    package var anchors: [DER]?
    /// The roots in OpenSSL's form, if the caller has read them already.
    package var store: TrustStore?
    /// The time of the evaluation; `nil` for now.
    package var evaluationDate: Date?
    /// The lists of revoked certificates to consult; `nil` for none.
    package var crls: [CRLReference]?
    /// Whether a CRL is required for each certificate, or for the server's own only.
    package var checksAllByCRL = true
    package var purpose = "ssl_server"
    /// OpenSSL's security level for keys and digests: 2 stands for 112 bits.
    package var securityLevel: Int32 = 2

    /// - Parameters:
    ///   - presented: The certificates as the server sent them, its own first.
    ///   - host: The host as shown in messages.
    ///   - name: The host in lower case and ASCII, without a final dot.
    ///   - policy: The requirements on the chain.
    package init(_ presented: [DER], host: String, name: String, policy: ChainPolicy) {
        self.presented = presented
        self.host = host
        self.name = name
        self.policy = policy
    }

    /// The maximum number of certificates, which bounds the work on adversarial chains. A server that sends more is
    /// refused.
    package static let mostCertificates = 64

    /// Checks the chain and the host.
    package func report() -> TrustReport {
        let date = evaluationDate ?? Date()
        guard let first = presented.first else {
            return refused("the server sent no certificate", date: date, presented: [])
        }
        guard presented.count <= Self.mostCertificates else {
            return refused("the server sent \(presented.count) certificates", date: date, presented: [])
        }
        let leaf: Certificate
        do throws(CertificateError) {
            leaf = try Certificate(der: first)
        } catch {
            // No other certificate may take the place of the server's, whose key the handshake proves.
            return refused("the server's certificate is malformed: \(error.description)", date: date, presented: [])
        }
        let others = presented.dropFirst().map { try? Certificate(der: $0) }
        let shown = [leaf] + others.prefix { $0 != nil }.compactMap(\.self)
        guard !NameRules.areTooMany(in: [leaf] + others.compactMap(\.self)) else {
            let limit = NameRules.mostComparisons
            let words = "the server's certificates need more than \(limit) comparisons of names with name constraints"
            return refused(words, date: date, presented: shown)
        }
        let terms: ChainVerification.Terms
        do {
            terms = try makeTerms(date: date)
        } catch {
            return refused(error.message, date: date, presented: shown)
        }
        // Their positions do not matter: a path is connected by names and signatures.
        let helpers = others.compactMap(\.self) + policy.intermediates
        let best = bestWay(from: leaf, through: helpers, under: terms)
        let authenticated = Self.authenticated(best.chain)
        var findings = best.findings
        if findings.isEmpty, authenticated.count < best.chain.count {
            // OpenSSL checks signatures too. A fault in the use of its results must not trust a forged chain.
            findings.append(Self.finding("a certificate is not signed by the next one", depth: authenticated.count - 1))
        }
        if !HostMatch.matches(leaf, host: name) {
            let status = AddressText.bytes(name) != nil ? Status.addressMismatch : Status.hostMismatch
            let words = HostMatch.mismatch(leaf, host: host)
            findings.append(TrustReport.Finding(kind: .host, status: status, depth: 0, description: words))
        }
        if anchors == nil, policy.roots == .system, !findings.isEmpty, SystemRoots.current.areMissing {
            findings.append(Self.finding(SystemRoots.missing, depth: 0))
        }
        return TrustReport(
            host: host,
            date: date,
            presented: shown,
            chain: best.chain,
            authenticated: authenticated,
            findings: findings,
            checks: ["the chain to a trusted root (RFC 5280 §6)", "the host's name (RFC 9525)"]
        )
    }

    /// Returns the findings of the lists for a chain that has been built.
    ///
    /// A certificate without a finding is not revoked. If the same path cannot be built again, each certificate has
    /// one.
    package func revocationFindings(along chain: [Certificate]) -> [TrustReport.Finding] {
        guard let leaf = chain.first, let terms = try? makeTerms(date: evaluationDate ?? Date()) else {
            return Self.unchecked(chain)
        }
        // The chain's own certificates first, so that the same path is built; the others may have signed a list.
        let way = follow(leaf, chain.dropFirst() + policy.intermediates, terms)
        guard way.isComplete, way.chain == chain else { return Self.unchecked(chain) }
        return way.findings.filter { $0.kind == .revocation }
    }

    private static func unchecked(_ chain: [Certificate]) -> [TrustReport.Finding] {
        chain.indices.map { finding("the chain cannot be checked for revocation", depth: $0) }
    }

    private struct Way {
        let chain: [Certificate]
        let findings: [TrustReport.Finding]
        /// Whether all checks were made, and all their faults are among ``findings``.
        let isComplete: Bool
    }

    /// Returns the first path without findings, or the findings of OpenSSL's default path if there is none.
    private func bestWay(
        from leaf: Certificate,
        through helpers: [Certificate],
        under terms: ChainVerification.Terms
    ) -> Way {
        let first = follow(leaf, helpers, terms)
        guard !first.findings.isEmpty, helpers.count > 1 else { return first }
        // Faults of the server's own certificate affect all paths.
        guard first.findings.contains(where: { $0.depth > 0 || Status.concernsTheWay($0.status) }) else { return first }
        for path in PathFinder(helpers).paths(from: leaf) where path.count < helpers.count {
            let way = follow(leaf, path, terms)
            if way.findings.isEmpty { return way }
        }
        return first
    }

    private func follow(_ leaf: Certificate, _ helpers: [Certificate], _ terms: ChainVerification.Terms) -> Way {
        let verification = ChainVerification(
            of: leaf.reference,
            with: helpers.map(\.reference),
            under: terms
        )
        // The first certificate is the leaf itself.
        let issuers = Certificate.leading(in: verification.chain.dropFirst())
        let chain = verification.chain.isEmpty ? [] : [leaf] + issuers
        let faults = verification.faults.filter { !isTolerated($0) }
        var findings = faults.map { Self.finding($0) }
        if chain.count != verification.chain.count {
            findings.append(Self.finding("a certificate of the chain is malformed", depth: chain.count))
        }
        findings += CertificateRules(policy).faults(of: chain)
        return Way(chain: chain, findings: findings, isComplete: verification.isComplete)
    }

    /// Returns whether RFC 5280 §6.1 permits what OpenSSL reports.
    private func isTolerated(_ fault: ChainVerification.Fault) -> Bool {
        switch fault.code {
        case Status.expired:
            // The validity includes its last second (RFC 5280 §4.1.2.5), which OpenSSL excludes.
            guard let certificate = fault.certificate.flatMap({ try? Certificate(der: $0) }) else { return false }
            let time = (evaluationDate ?? Date()).timeIntervalSince1970.rounded(.down)
            return time == certificate.notAfter.timeIntervalSince1970
        case Status.authorityWithoutKeyUsage: return true
        default: return false
        }
    }

    private func makeTerms(date: Date) throws(TransportError) -> ChainVerification.Terms {
        let roots = anchors.map { TrustRoots.certificates($0) } ?? policy.roots
        let store: TrustStore
        if let known = self.store { store = known } else { store = try RootStores.shared.store(for: roots) }
        var terms = ChainVerification.Terms(store: store)
        // The system's store may contain intermediates, which are not anchors. Certificates named by a user are.
        terms.allowsPartialChains = roots != .system
        terms.isStrict = policy.profile == .strict
        terms.time = evaluationDate.map(\.wholeSeconds)
        terms.crls = crls
        terms.checksAllByCRL = checksAllByCRL
        terms.checksPolicies = true
        terms.purpose = purpose
        terms.securityLevel = securityLevel
        return terms
    }

    private func refused(_ reason: String, date: Date, presented: [Certificate]) -> TrustReport {
        TrustReport(
            host: host,
            date: date,
            presented: presented,
            chain: [],
            authenticated: [],
            findings: [Self.finding(reason, depth: 0)],
            checks: []
        )
    }

    private static func finding(_ words: String, depth: Int) -> TrustReport.Finding {
        TrustReport.Finding(kind: .chain, status: 0, depth: depth, description: words)
    }

    private static func finding(_ fault: ChainVerification.Fault) -> TrustReport.Finding {
        let certificate = fault.certificate.flatMap { try? Certificate(der: $0) }
        return TrustReport.Finding(
            kind: Status.isRevocation(fault.code) ? .revocation : .chain,
            status: fault.code,
            depth: fault.depth,
            description: Status.sentence(fault, certificate)
        )
    }

    /// Returns the certificates up to the first that did not sign its predecessor. Names alone prove nothing: any
    /// server can send the certificate of a pinned authority.
    private static func authenticated(_ chain: [Certificate]) -> [Certificate] {
        var signed = Array(chain.prefix(1))
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            guard certificate.reference.isSigned(by: issuer.reference) else { break }
            signed.append(issuer)
        }
        return signed
    }
}
