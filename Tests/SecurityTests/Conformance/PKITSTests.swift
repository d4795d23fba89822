import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// The chains and CRLs of NIST's PKITS (Public Key Interoperability Test Suite), all against one pool.
@Suite("PKITS", .timeLimit(.minutes(5)))
struct PKITSTests {
    /// One certificate and what is due.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let expected: String
        let leaf: String

        var testDescription: String { id }
    }

    private struct File: Decodable {
        let anchor: String
        let pool: [String]
        let crls: [String]
        let cases: [Case]
    }

    private static let file = ConformanceFile.contents("pkits.json").flatMap {
        try? JSONDecoder().decode(File.self, from: $0)
    }

    static let cases = file?.cases ?? []
    static let pool = file?.pool.compactMap { try? Certificate(pem: $0) } ?? []
    static let anchors = file.map { PEM.blocks(in: $0.anchor).map(\.der) } ?? []

    /// The verdicts that differ. Docs/Conformance.md says why.
    static let differences: Set<String> = [
        "ValidDSAParameterInheritanceTest5EE", "ValidDSASignaturesTest4EE", "ValidcRLIssuerTest30EE",
    ]

    private static let evaluator: RevocationTrustEvaluator? = file.map { file in
        let lists = file.crls.compactMap { pem in
            PEM.blocks(in: pem).first.flatMap { try? CertificateRevocationList(der: $0.der) }
        }
        let policy = ChainPolicy(
            roots: .certificates(PEM.blocks(in: file.anchor).map(\.der)),
            intermediates: file.pool.compactMap { try? Certificate(pem: $0) }
        )
        return RevocationTrustEvaluator(
            validateHost: false,
            options: [.crl, .requirePositiveResponse],
            policy: policy,
            crls: lists
        )
    }

    @Test("the cases are there", .enabled(if: !cases.isEmpty, "no conformance data next to the repository"))
    func casesAreThere() {
        #expect(Self.cases.count == 203)
        #expect(Self.differences.isSubset(of: Self.cases.map(\.id)))
    }

    @Test("a chain gets the expected verdict", arguments: cases)
    func verdict(_ example: Case) {
        let refusal = Self.refusal(of: example)
        let isAsDue = (refusal == nil) == (example.expected == "SUCCESS")
        #expect(isAsDue != Self.differences.contains(example.id), "\(refusal ?? "trusted")")
    }

    @Test("writes the table of verdicts", .enabled(if: ProcessInfo.processInfo.environment["PKITS_VERDICTS"] != nil))
    func table() {
        var right = 0
        for example in Self.cases {
            let refusal = Self.refusal(of: example)
            if (refusal == nil) == (example.expected == "SUCCESS") {
                right += 1
            } else {
                print("PKITS \(example.id) due \(example.expected): \(refusal ?? "trusted")")
            }
        }
        print("PKITS \(right) of \(Self.cases.count)")
    }

    private static func refusal(of example: Case) -> String? {
        do {
            let leaf = try #require(PEM.blocks(in: example.leaf).first).der
            try evaluator?.evaluate(ServerTrust(chain: [leaf], host: "pkits.test"), forHost: "pkits.test")
            return nil
        } catch {
            return "\(error.asAFError?.errorDescription ?? "\(error)")"
        }
    }
}
