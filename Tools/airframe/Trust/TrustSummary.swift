import Airframe
import Foundation

/// The verdict of one evaluator.
struct TrustVerdict: Encodable {
    let evaluator: String
    let refusal: String?
}

/// The report of `airframe trust` on a server.
struct TrustSummary: Encodable {
    struct Entry: Encodable {
        let subject: String
        let issuer: String
        let names: [String]
        let notBefore: Date
        let notAfter: Date
        let key: String
        let pin: String
        let fingerprint: String

        init(_ certificate: Certificate) {
            subject = certificate.subject.description
            issuer = certificate.issuer.description
            names = certificate.subjectAlternativeNames.map(\.description)
            notBefore = certificate.notBefore
            notAfter = certificate.notAfter
            key = "\(certificate.publicKey.algorithm) \(certificate.publicKey.bitCount)"
            pin = certificate.publicKey.pin
            fingerprint = certificate.fingerprint
        }
    }

    let host: String
    let port: Int
    let isTrusted: Bool
    let chain: [Entry]
    let pins: [String]
    let findings: [String]
    let verdicts: [TrustVerdict]
    /// When the first certificate of the chain expires.
    let expires: Date?

    init(_ origin: Origin, _ report: TrustReport, _ verdicts: [TrustVerdict]) {
        host = origin.host
        port = origin.port
        isTrusted = verdicts.allSatisfy { $0.refusal == nil }
        let certificates = report.chain.isEmpty ? report.presented : report.chain
        chain = certificates.map(Entry.init)
        pins = certificates.map(\.publicKey.pin)
        findings = report.findings.map(\.description)
        self.verdicts = verdicts
        expires = certificates.map(\.notAfter).min()
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var text: String {
        var lines = ["\(host):\(port) is \(isTrusted ? "trusted" : "refused")", "", "chain"]
        for (place, entry) in chain.enumerated() {
            lines.append("  \(place) \(entry.subject)")
            if !entry.names.isEmpty { lines.append("    for    \(entry.names.joined(separator: ", "))") }
            lines.append("    valid  \(Self.day(entry.notBefore)) to \(Self.day(entry.notAfter))")
            lines.append("    key    \(entry.key)")
            lines.append("    pin    \"\(entry.pin)\"")
        }
        if let expires { lines += ["", "expires  \(Self.day(expires))"] }
        lines += ["", "verdicts"]
        for verdict in verdicts {
            lines.append("  \(verdict.evaluator): \(verdict.refusal ?? "trusted")")
        }
        return lines.joined(separator: "\n")
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601) }
}
