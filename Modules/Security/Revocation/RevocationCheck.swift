internal import AirframeCore
internal import AirframeOpenSSL
internal import AirframeTransport
internal import Foundation

/// Finds out whether a certificate of a chain is revoked: by what the server stapled, by lists, and by asking.
struct RevocationCheck {
    let options: RevocationOptions
    var policy = ChainPolicy()
    /// Lists that the user gave.
    var lists: [CertificateRevocationList] = []
    var source: RevocationSource?

    /// What is known of one certificate.
    private enum Knowledge {
        case good
        case revoked(String)
        case unknown(String)
    }

    /// Checks with what is at hand.
    func report(_ trust: ServerTrust, host: String) -> TrustReport {
        let base = ChainEvaluation(trust, host: host, policy: policy).report()
        let findings = check(base, trust, fetched: [])
        return base.adding(findings)
    }

    /// Checks, and asks where what is at hand is not enough.
    func reportAsync(_ trust: ServerTrust, host: String) async -> TrustReport {
        let base = ChainEvaluation(trust, host: host, policy: policy).report()
        guard let source, !options.contains(.networkAccessDisabled),
            !base.findings.contains(where: { $0.kind == .chain })
        else { return base.adding(check(base, trust, fetched: [])) }
        var fetched: [CertificateRevocationList] = []
        for (depth, (certificate, issuer)) in zip(base.chain, base.chain.dropFirst()).enumerated() {
            if case .unknown = knowledge(of: depth, in: evidence(on: base, trust, fetched: fetched)) {
                fetched += await ask(source, about: certificate, issuer: issuer, base.date)
            }
        }
        return base.adding(check(base, trust, fetched: fetched))
    }

    /// Asks by the ways that the options name, until one of them answers; returns lists, and leaves answers in the cache.
    private func ask(
        _ source: RevocationSource,
        about certificate: Certificate,
        issuer: Certificate,
        _ date: Date
    ) async -> [CertificateRevocationList] {
        let byList = options.contains(.crl) || options.contains(.preferCRL)
        if byList, options.contains(.preferCRL) {
            let lists = await source.lists(for: certificate, date)
            guard lists.isEmpty else { return lists }
        }
        if options.contains(.ocsp), await source.ask(about: certificate, issuer: issuer, date) { return [] }
        return byList && !options.contains(.preferCRL) ? await source.lists(for: certificate, date) : []
    }

    /// What refuses the server.
    private func check(
        _ base: TrustReport,
        _ trust: ServerTrust,
        fetched: [CertificateRevocationList]
    ) -> [TrustReport.Finding] {
        let evidence = evidence(on: base, trust, fetched: fetched)
        var findings: [TrustReport.Finding] = []
        for (depth, certificate) in base.chain.dropLast().enumerated() {
            let place = depth == 0 ? "the server's certificate" : "certificate \(depth) of the chain"
            let name = "\(place) (\(certificate.subject))"
            func add(_ status: Int32, _ words: String) {
                findings.append(
                    TrustReport.Finding(kind: .revocation, status: status, depth: depth, description: words))
            }
            if depth == 0, certificate.mustStaple, evidence.staple == nil {
                add(0, "\(name) demands a stapled OCSP response (RFC 7633), and the server stapled none that holds")
            }
            switch knowledge(of: depth, in: evidence) {
            case .good: break
            case .revoked(let words): add(Status.revoked, "certificate revoked: \(name) \(words)")
            case .unknown(let words)
            where options.contains(.requirePositiveResponse)
                || lists.contains { $0.issuer.encoded == certificate.issuer.encoded }:
                // A list that the user gave, and that is its issuer's, must be usable: to leave it out would be to accept
                // what it may revoke.
                add(0, "nobody says that \(name) is not revoked: \(words)")
            case .unknown: break
            }
        }
        return findings
    }

    // MARK: Evidence

    /// What is at hand about a chain.
    private struct Evidence {
        let report: TrustReport
        /// The server's staple, if it holds.
        let staple: OCSPExchange.Answer?
        /// What the lists say, by certificate.
        let lists: ListEvidence
    }

    private enum ListEvidence {
        /// They are not looked at.
        case unasked
        case none(String)
        case findings([TrustReport.Finding])
    }

    private func evidence(
        on base: TrustReport,
        _ trust: ServerTrust,
        fetched: [CertificateRevocationList]
    ) -> Evidence {
        Evidence(
            report: base,
            staple: Self.stapled(base, trust),
            lists: listEvidence(base, trust, lists + fetched)
        )
    }

    private static func stapled(_ base: TrustReport, _ trust: ServerTrust) -> OCSPExchange.Answer? {
        guard let response = trust.stapledOCSPResponse, base.chain.count > 1 else { return nil }
        let exchange = OCSPExchange(base.chain[0], issuer: base.chain[1])
        return try? exchange.read(response, time: Int(base.date.timeIntervalSince1970))
    }

    private func listEvidence(
        _ base: TrustReport,
        _ trust: ServerTrust,
        _ lists: [CertificateRevocationList]
    ) -> ListEvidence {
        guard options.contains(.crl) || options.contains(.preferCRL) || !self.lists.isEmpty else { return .unasked }
        let usable = lists.filter { $0.fault == nil }
        guard !usable.isEmpty else {
            return .none(lists.first.flatMap { list in list.fault.map { "\($0): \(list)" } } ?? "no CRL")
        }
        var evaluation = ChainEvaluation(trust, host: base.host, policy: policy)
        evaluation.crls = usable.map(\.reference)
        return .findings(evaluation.revocationFindings(along: base.chain))
    }

    private func knowledge(of depth: Int, in evidence: Evidence) -> Knowledge {
        var reasons: [String] = []
        var isGood = false
        for known in [byOCSP(depth, evidence), byLists(depth, evidence)].compactMap(\.self) {
            switch known {
            case .revoked: return known
            case .good: isGood = true
            case .unknown(let reason): reasons.append(reason)
            }
        }
        if isGood { return .good }
        return .unknown(reasons.isEmpty ? "there is no list and no answer" : reasons.joined(separator: "; "))
    }

    private func byOCSP(_ depth: Int, _ evidence: Evidence) -> Knowledge? {
        let chain = evidence.report.chain
        // A staple that says "revoked" counts whatever was asked for.
        let staple = depth == 0 ? evidence.staple : nil
        if case .revoked = staple?.status { return staple.map(Self.knowledge) }
        guard options.contains(.ocsp), chain.indices.contains(depth + 1) else { return nil }
        if let staple { return Self.knowledge(staple) }
        let cached = source?.cache.answer(about: chain[depth], issuer: chain[depth + 1], at: evidence.report.date)
        return cached.map(Self.knowledge) ?? .unknown("no OCSP response")
    }

    private func byLists(_ depth: Int, _ evidence: Evidence) -> Knowledge? {
        switch evidence.lists {
        case .unasked: return nil
        case .none(let reason): return .unknown(reason)
        case .findings(let findings):
            let found = findings.filter { $0.depth == depth }
            guard let first = found.first else { return .good }
            return found.contains { $0.status == Status.revoked }
                ? .revoked("is on its issuer's list") : .unknown(first.description)
        }
    }

    private static func knowledge(_ answer: OCSPExchange.Answer) -> Knowledge {
        switch answer.status {
        case .good: return .good
        case .revoked(let time, let reason):
            let date = time.map { " on \(Date(timeIntervalSince1970: Double($0)).timestamp)" } ?? ""
            let why = reason.map { ", reason \($0) (RFC 5280 §5.3.1)" } ?? ""
            return .revoked("was revoked\(date)\(why), says its OCSP responder")
        case .unknown: return .unknown("the OCSP responder does not know it")
        }
    }
}

extension TrustReport {
    fileprivate func adding(_ findings: [Finding]) -> TrustReport {
        var report = self
        report.findings += findings
        report.checks.append("revocation (RFC 6960, RFC 5280 §6.3)")
        return report
    }
}

extension OCSPExchange {
    init(_ certificate: Certificate, issuer: Certificate) {
        self.init(certificate: certificate.reference, issuer: issuer.reference)
    }
}
