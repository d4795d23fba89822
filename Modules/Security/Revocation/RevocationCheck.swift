internal import AirframeCore
internal import AirframeOpenSSL
internal import AirframeTransport
internal import Foundation

/// Determines whether a certificate of a chain is revoked, by the stapled response, CRLs and queries.
struct RevocationCheck {
    let options: RevocationOptions
    var policy = ChainPolicy()
    /// The user's CRLs.
    var lists: [CertificateRevocationList] = []
    var source: RevocationSource?

    /// The status of one certificate.
    private enum Knowledge {
        case good
        case revoked(String)
        case unknown(String)
    }

    /// Checks with local evidence.
    func report(_ trust: ServerTrust, host: String) -> TrustReport {
        let base = ChainEvaluation(trust, host: host, policy: policy).report()
        return base.adding(check(base, trust, Found()))
    }

    /// Checks, and queries responders and CRLs if local evidence does not suffice.
    func reportAsync(_ trust: ServerTrust, host: String) async -> TrustReport {
        let base = ChainEvaluation(trust, host: host, policy: policy).report()
        guard let source, !options.contains(.networkAccessDisabled),
            !base.findings.contains(where: { $0.kind == .chain })
        else { return base.adding(check(base, trust, Found())) }
        var found = Found()
        for depth in base.chain.indices.dropLast() {
            guard case .unknown = knowledge(of: depth, in: evidence(on: base, trust, found)) else { continue }
            let verification = ListVerification(trust: trust, base: base, depth: depth, policy: policy)
            await ask(source, verification, base.date, &found)
        }
        return base.adding(check(base, trust, found))
    }

    /// The results of the queries.
    private struct Found {
        var lists: [CertificateRevocationList] = []
        /// The answers of responders, by the certificate's position in the chain.
        var answers: [Int: OCSPExchange.Answer] = [:]
        /// The reasons of failed queries, by the certificate's position in the chain.
        var reasons: [Int: [String]] = [:]
    }

    /// Queries by the methods that the options name, until one has an answer.
    private func ask(
        _ source: RevocationSource,
        _ verification: ListVerification,
        _ date: Date,
        _ found: inout Found
    ) async {
        let depth = verification.depth
        for way in ways {
            let outcome =
                switch way {
                case .ocsp:
                    await source.ask(about: verification.certificate, issuer: verification.issuer, date)
                case .list: await source.lists(verification, date)
                }
            switch outcome {
            case .answered(let answer):
                found.answers[depth] = answer
                return
            case .lists(let lists):
                found.lists += lists
                return
            case .nothing(let why): found.reasons[depth, default: []] += why
            }
        }
    }

    private enum Way {
        case ocsp
        case list
    }

    /// The methods, in the order of the options.
    private var ways: [Way] {
        let byOCSP: [Way] = options.contains(.ocsp) ? [.ocsp] : []
        guard !options.contains(.preferCRL) else { return [.list] + byOCSP }
        return byOCSP + (options.contains(.crl) ? [.list] : [])
    }

    /// Returns the findings that refuse the server.
    private func check(
        _ base: TrustReport,
        _ trust: ServerTrust,
        _ found: Found
    ) -> [TrustReport.Finding] {
        let evidence = evidence(on: base, trust, found)
        var findings: [TrustReport.Finding] = []
        for (depth, certificate) in base.chain.dropLast().enumerated() {
            let place = depth == 0 ? "the server's certificate" : "certificate \(depth) of the chain"
            let name = "\(place) (\(certificate.subject))"
            func add(_ status: Int32, _ words: String) {
                findings.append(
                    TrustReport.Finding(kind: .revocation, status: status, depth: depth, description: words))
            }
            if depth == 0, certificate.mustStaple, evidence.staple.answer == nil {
                add(0, "\(name) demands a stapled OCSP response (RFC 7633), and \(evidence.staple.fault)")
            }
            switch knowledge(of: depth, in: evidence) {
            case .good: break
            case .revoked(let words): add(Status.revoked, "certificate revoked: \(name) \(words)")
            case .unknown(let words)
            where options.contains(.requirePositiveResponse)
                || lists.contains { $0.issuer.encoded == certificate.issuer.encoded }:
                // A user's CRL of the certificate's issuer must be usable: ignoring it would accept a certificate that
                // it may revoke.
                let reasons = [words] + (found.reasons[depth] ?? [])
                add(0, "no source confirms that \(name) is not revoked: \(reasons.joined(separator: "; "))")
            case .unknown: break
            }
        }
        return findings
    }

    // MARK: Evidence

    /// The local evidence about a chain.
    private struct Evidence {
        let report: TrustReport
        let staple: Staple
        /// The answers of responders in this check, by the certificate's position in the chain.
        let answers: [Int: OCSPExchange.Answer]
        /// The findings of the CRLs, by certificate.
        let lists: ListEvidence
    }

    /// The server's staple, or the reason why it is refused.
    private enum Staple {
        case holds(OCSPExchange.Answer)
        case useless(String)

        var answer: OCSPExchange.Answer? { if case .holds(let answer) = self { answer } else { nil } }
        var fault: String { if case .useless(let words) = self { words } else { "" } }
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
        _ found: Found
    ) -> Evidence {
        Evidence(
            report: base,
            staple: Self.stapled(base, trust),
            answers: found.answers,
            lists: listEvidence(base, trust, lists + found.lists)
        )
    }

    private static func stapled(_ base: TrustReport, _ trust: ServerTrust) -> Staple {
        guard let response = trust.stapledOCSPResponse else { return .useless("the server stapled none") }
        guard base.authenticated.count > 1 else { return .useless("its issuer, who signs it, is not known") }
        do throws(OCSPExchange.Failure) {
            let exchange = OCSPExchange(base.authenticated[0], issuer: base.authenticated[1])
            return .holds(try exchange.read(response, time: base.date.wholeSeconds))
        } catch {
            return .useless("the one that the server stapled is of no use: \(error)")
        }
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
        // Anyone can make a certificate with the issuer's name, and sign evidence with its key.
        guard evidence.report.authenticated.indices.contains(depth + 1) else {
            return .unknown("its issuer is not known: the next certificate of the chain did not sign it")
        }
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
        let chain = evidence.report.authenticated
        // A stapled status of "revoked" counts with all options.
        let staple = depth == 0 ? evidence.staple.answer : nil
        if case .revoked = staple?.status { return staple.map(Self.knowledge) }
        guard options.contains(.ocsp) else { return nil }
        if let staple, staple.status != .unknown { return Self.knowledge(staple) }
        // A stapled status of "unknown" must not hide the status of a responder.
        let cached = source?.cache.answer(about: chain[depth], issuer: chain[depth + 1], at: evidence.report.date)
        return (evidence.answers[depth] ?? cached ?? staple).map(Self.knowledge) ?? .unknown("no OCSP response")
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
