import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

/// The fuzzer's seeds and findings, which every run of the tests reads.
@Suite("The corpora of certificates, chains and evidence", .timeLimit(.minutes(5)))
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus")

    static let certificates = names("certificates")
    static let chains = names("chains")
    static let evidence = names("evidence")

    private static func names(_ corpus: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: corpus).path()).sorted()) ?? []
    }

    private func bytes(_ corpus: String, _ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: Self.folder.appending(path: corpus).appending(path: name)))
    }

    @Test("are there")
    func areThere() {
        #expect(Self.certificates.count >= 10 && Self.chains.count >= 5 && Self.evidence.count >= 4)
    }

    @Test("a parsed certificate has the bytes that it was parsed from", arguments: certificates)
    func reading(name: String) throws {
        let bytes = try bytes("certificates", name)
        let found = CertificateBundle.certificates(in: Data(bytes))
        let lists = CertificateRevocationList.lists(in: Data(bytes))
        #expect(found.count + lists.count == 1, "\(found.count) certificates, \(lists.count) lists")
        for certificate in found {
            #expect(certificate.malformedExtensions.isEmpty)
            #expect(try Certificate(pem: certificate.pem) == certificate)
        }
    }

    @Test("no chain is trusted without roots", arguments: chains)
    func nowhere(name: String) throws {
        var rest = try bytes("chains", name)[...]
        var chain: [DER] = []
        while rest.count >= 2 {
            let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            chain.append(DER(Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        let report = ServerTrust(chain: chain, host: "localhost").report(policy: .trusting([]))
        #expect(!report.isTrusted && report.presented.count == chain.count)
    }

    @Test("evidence for other certificates is refused", arguments: evidence)
    func foreign(name: String) throws {
        let pki = try PKI.made()
        let bytes = try bytes("evidence", name)
        let trust = ServerTrust(
            chain: try pki.chain("must-staple").map(\.der),
            host: "localhost",
            stapledOCSPResponse: DER(bytes),
            signedCertificateTimestampList: bytes
        )
        #expect(Verdict.of(RevocationTrustEvaluator(options: .ocsp, policy: try pki.policy), trust) == .revocation)
    }
}
