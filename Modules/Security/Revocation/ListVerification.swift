internal import AirframeCore
internal import AirframeOpenSSL

/// Verifies CRLs that were fetched for a certificate of a chain, before they are used and cached.
///
/// CRLs are fetched in the clear, so that anyone on the path can answer. A cached list that is forged, or that is the
/// issuer's list for other certificates, would hide revocations or refuse servers until its entry expires.
struct ListVerification {
    /// The use of the lists.
    enum Verdict {
        /// They decide on the certificate, and may be cached.
        case valid([CertificateRevocationList])
        /// The issuer has revoked the certificate by a list that must not be cached: it is out of date, or is for other
        /// certificates.
        case revoking([CertificateRevocationList])
        /// They say nothing about the certificate, for this reason.
        case useless(String)
    }

    /// The maximum number of lists at one URL, which bounds the signatures to verify. A distribution point has one list
    /// (RFC 5280 §4.2.1.13).
    private static let mostLists = 8

    let trust: ServerTrust
    /// The report on the chain, which is valid.
    let base: TrustReport
    /// The position of the certificate in the chain, whose next certificate is the issuer's.
    let depth: Int
    let policy: ChainPolicy

    /// The certificate that the lists were fetched for.
    var certificate: Certificate { base.chain[depth] }
    /// Its issuer.
    var issuer: Certificate { base.chain[depth + 1] }

    /// Verifies the lists of one URL.
    ///
    /// OpenSSL decides on their dates, scope and extensions (RFC 5280 §6.3.3), as it does when they are used.
    func verify(_ lists: [CertificateRevocationList]) -> Verdict {
        let signed = Array(lists.prefix(Self.mostLists)).filter { $0.isSigned(by: issuer) }
        guard !signed.isEmpty else { return .useless("its CRL is not signed by \(issuer.subject)") }
        let usable = signed.filter { $0.fault == nil }
        guard !usable.isEmpty else { return .useless(signed.compactMap(\.fault).joined(separator: "; ")) }
        var evaluation = ChainEvaluation(trust, host: base.host, policy: policy)
        evaluation.crls = usable.map(\.reference)
        let findings = evaluation.revocationFindings(along: base.chain).filter { $0.depth == depth }
        guard let fault = findings.first(where: { $0.status != Status.revoked }) else { return .valid(usable) }
        let isRevoked = findings.contains { $0.status == Status.revoked }
        return isRevoked ? .revoking(usable) : .useless(fault.description)
    }
}
