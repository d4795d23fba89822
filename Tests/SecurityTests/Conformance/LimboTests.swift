import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// The validation cases of x509-limbo that concern a client of TLS.
@Suite("x509-limbo", .timeLimit(.minutes(5)))
struct LimboTests {
    /// One chain and what is due.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        struct Name: Decodable, Sendable {
            let kind: String
            let value: String
        }

        let id: String
        let validation_kind: String
        let expected_result: String
        let trusted_certs: [String]
        let untrusted_intermediates: [String]
        let peer_certificate: String
        let validation_time: String?
        let expected_peer_name: Name?
        let max_chain_depth: Int?
        let crls: [String]

        var testDescription: String { id }
        var isToBeTrusted: Bool { expected_result == "SUCCESS" }
    }

    private struct File: Decodable {
        let testcases: [Case]
    }

    static let cases: [Case] =
        ConformanceFile.contents("limbo-without-bettertls.json")
        .flatMap { try? JSONDecoder().decode(File.self, from: $0) }?.testcases
        .filter { $0.validation_kind == "SERVER" } ?? []

    /// The verdicts that differ, with the strict profile. Docs/Conformance.md says why.
    static let differences: Set<String> = [
        "pathlen::validation-ignores-pathlen-in-leaf", "rfc5280::aki::cross-signed-root-missing-aki",
        "rfc5280::nc::permitted-dns-match-noncritical", "rfc5280::ca-as-leaf", "webpki::eku::ee-without-eku",
    ]

    /// The chains that the compatible profile trusts and the strict one does not.
    static let allowances: Set<String> = [
        "rfc5280::aki::leaf-missing-aki",
        "rfc5280::aki::intermediate-missing-aki",
        "rfc5280::nc::invalid-dnsname-leading-period",
        "rfc5280::pc::ica-noncritical-pc",
        "rfc5280::san::noncritical-with-empty-subject",
        "rfc5280::san::underscore-dns",
        "rfc5280::serial::too-long",
        "rfc5280::serial::zero",
        "rfc5280::serial::negative",
        "rfc5280::ski::root-missing-ski",
        "rfc5280::ski::intermediate-missing-ski",
        "rfc5280::ca-empty-subject",
        "rfc5280::root-missing-basic-constraints",
        "rfc5280::root-non-critical-basic-constraints",
        "rfc5280::leaf-ku-keycertsign",
        "webpki::aki::root-with-aki-missing-keyidentifier",
        "webpki::aki::root-with-aki-authoritycertissuer",
        "webpki::aki::root-with-aki-authoritycertserialnumber",
        "webpki::aki::root-with-aki-all-fields",
        "webpki::aki::root-with-aki-ski-mismatch",
        "webpki::cn::ipv4-hex-mismatch",
        "webpki::cn::ipv4-leading-zeros-mismatch",
        "webpki::cn::ipv6-uppercase-mismatch",
        "webpki::cn::ipv6-uncompressed-mismatch",
        "webpki::cn::ipv6-non-rfc5952-mismatch",
        "webpki::cn::punycode-not-in-san",
        "webpki::cn::utf8-vs-punycode-mismatch",
        "webpki::cn::not-in-san",
        "webpki::cn::case-mismatch",
        "webpki::eku::ee-anyeku",
        "webpki::eku::ee-critical-eku",
        "webpki::eku::root-has-eku",
        "webpki::san::public-suffix-multi-label-wildcard-san",
        "webpki::san::public-suffix-private-namespace-wildcard-san",
        "webpki::san::san-critical-with-nonempty-subject",
        "webpki::forbidden-dsa-root",
        "webpki::forbidden-dsa-leaf",
        "webpki::forbidden-rsa-not-divisible-by-8-in-root",
        "webpki::forbidden-rsa-key-not-divisible-by-8-in-leaf",
        "webpki::ee-basicconstraints-ca",
    ]

    @Test("the cases are there", .enabled(if: !cases.isEmpty, "no conformance data next to the repository"))
    func casesAreThere() {
        #expect(Self.cases.count == 198)
        #expect(Self.differences.union(Self.allowances).isSubset(of: Self.cases.map(\.id)))
    }

    @Test("the strict profile gives the expected verdict", arguments: cases)
    func strict(_ example: Case) async {
        let refusal = await Self.refusal(of: example, .strict)
        let isAsDue = (refusal == nil) == example.isToBeTrusted
        #expect(isAsDue != Self.differences.contains(example.id), "\(refusal ?? "trusted")")
    }

    @Test("the compatible profile differs only in extensions that private authorities omit", arguments: cases)
    func compatible(_ example: Case) async {
        let strict = await Self.refusal(of: example, .strict)
        let compatible = await Self.refusal(of: example, .compatible)
        #expect(strict != nil || compatible == nil, "only the compatible profile refuses it: \(compatible ?? "")")
        #expect(((strict == nil) != (compatible == nil)) == Self.allowances.contains(example.id), "\(strict ?? "")")
    }

    @Test("writes the table of verdicts", .enabled(if: ProcessInfo.processInfo.environment["LIMBO_VERDICTS"] != nil))
    func table() async {
        var right = 0
        for example in Self.cases {
            let strict = await Self.refusal(of: example, .strict)
            let compatible = await Self.refusal(of: example, .compatible)
            let isRight = (strict == nil) == example.isToBeTrusted
            if isRight { right += 1 }
            let also = (strict == nil) == (compatible == nil) ? "" : " COMPATIBLE: \(compatible ?? "trusted")"
            guard !isRight || !also.isEmpty else { continue }
            print(
                "LIMBO \(isRight ? "ok" : "WRONG") \(example.id) due \(example.expected_result): \(strict ?? "trusted")\(also)"
            )
        }
        print("LIMBO \(right) of \(Self.cases.count)")
    }

    private static func refusal(of example: Case, _ profile: ChainPolicy.Profile) async -> String? {
        let host = example.expected_peer_name?.value ?? ""
        do {
            func certificate(_ pem: String) throws -> DER { try #require(PEM.blocks(in: pem).first).der }
            let chain = try ([example.peer_certificate] + example.untrusted_intermediates).map(certificate)
            let roots = try example.trusted_certs.map(certificate)
            // Instants are compared at the granularity of seconds, as certificates are written.
            let date = try example.validation_time.map { text in
                try Date(String(text.prefix(19)) + "Z", strategy: .iso8601)
            }
            let trust = ServerTrust(chain: chain, host: host, evaluationDate: date)
            let policy = ChainPolicy(
                roots: .certificates(roots),
                profile: profile,
                maximumIntermediates: example.max_chain_depth
            )
            guard example.crls.isEmpty else {
                let lists = try example.crls.map { try CertificateRevocationList(der: certificate($0)) }
                let evaluator = RevocationTrustEvaluator(options: .crl, policy: policy, crls: lists)
                try await evaluator.evaluateAsync(trust, forHost: host)
                return nil
            }
            try DefaultTrustEvaluator(validateHost: !host.isEmpty, policy: policy).evaluate(trust, forHost: host)
            return nil
        } catch {
            return "\(error.asAFError?.errorDescription ?? "\(error)")"
        }
    }
}
