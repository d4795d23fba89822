import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// Responses that are signed as they should be, and say what they must not.
@Suite("Malformed OCSP responses", .timeLimit(.minutes(5)))
struct OCSPRulesTests {
    private typealias Single = OCSPForge.Single

    /// The verdicts on a server that staples the response: with hard fail, and with soft fail.
    private func verdicts(_ forge: OCSPForge) throws -> (hard: Verdict, soft: Verdict) {
        let response = try forge.response()
        func verdict(_ options: RevocationOptions) throws -> Verdict {
            // The intermediate, of which no response speaks, is trusted by itself.
            let policy = ChainPolicy.trusting([try forge.pki.certificate("intermediate")])
            let trust = ServerTrust(
                chain: try forge.pki.chain(forge.certificate).map(\.der),
                host: "localhost",
                stapledOCSPResponse: response
            )
            return Verdict.of(RevocationTrustEvaluator(options: options, policy: policy), trust)
        }
        return (try verdict([.ocsp, .requirePositiveResponse]), try verdict(.ocsp))
    }

    /// The response is of no use: hard fail refuses the server, soft fail does not.
    private func expectUseless(_ forge: OCSPForge, _ comment: Comment) throws {
        let verdicts = try verdicts(forge)
        #expect(verdicts.hard == .revocation, comment)
        #expect(verdicts.soft == .trusted, comment)
    }

    @Test("a valid response is accepted, even with answers about other certificates")
    func sound() throws {
        let pki = try PKI.made()
        for forge in [
            OCSPForge(pki, Single(status: .good)),
            OCSPForge(pki, Single(status: .good, digest: "2.16.840.1.101.3.4.2.1")),
            OCSPForge(pki, Single(status: .revoked, serialNumber: [0x11]), Single(status: .good)),
        ] {
            let verdicts = try verdicts(forge)
            #expect(verdicts.hard == .trusted && verdicts.soft == .trusted)
        }
        let revoked = try verdicts(OCSPForge(pki, Single(status: .revoked)))
        #expect(revoked.hard == .revocation && revoked.soft == .revocation)
    }

    @Test("a response with both good and revoked for one certificate means revoked, in any order and mode")
    func contradiction() throws {
        let pki = try PKI.made()
        let sha256 = "2.16.840.1.101.3.4.2.1"
        for forge in [
            OCSPForge(pki, Single(status: .good), Single(status: .revoked)),
            OCSPForge(pki, Single(status: .revoked), Single(status: .good)),
            OCSPForge(pki, Single(status: .good), Single(status: .revoked, digest: sha256)),
            OCSPForge(pki, Single(status: .good), Single(status: .unknown), Single(status: .revoked)),
        ] {
            let verdicts = try verdicts(forge)
            #expect(verdicts.hard == .revocation && verdicts.soft == .revocation)
        }
    }

    @Test("several answers about one certificate count as none (RFC 6960 §4.2.1)")
    func duplicates() throws {
        let pki = try PKI.made()
        try expectUseless(OCSPForge(pki, Single(status: .good), Single(status: .good)), "twice good")
        try expectUseless(OCSPForge(pki, Single(status: .good), Single(status: .unknown)), "good and unknown")
    }

    @Test("a response with an unknown critical extension is refused (RFC 6960 §4.4)")
    func criticalExtensions() throws {
        let pki = try PKI.made()
        var whole = OCSPForge(pki, Single(status: .good))
        whole.criticalExtensions = ["1.2.3.4"]
        try expectUseless(whole, "in the response")
        try expectUseless(OCSPForge(pki, Single(status: .good, criticalExtensions: ["1.2.3.4"])), "in the answer")
        whole.criticalExtensions = ["1.3.6.1.5.5.7.48.1.9"]
        #expect(try verdicts(whole).hard == .trusted, "one that is known")
    }

    @Test("a response signed in the future, or outside its signer's validity, is refused")
    func producedAt() throws {
        let pki = try PKI.made()
        var forge = OCSPForge(pki, Single(status: .good))
        forge.producedAt = Date(timeIntervalSinceNow: 3600)
        try expectUseless(forge, "in the future")
        // The responder's certificate is valid since yesterday.
        forge.producedAt = Date(timeIntervalSinceNow: -2 * 86_400)
        try expectUseless(forge, "before its signer was valid")
        forge.producedAt = Date(timeIntervalSinceNow: 60)
        #expect(try verdicts(forge).hard == .trusted, "clocks may differ by some minutes")
    }

    @Test("the dates of answers are checked")
    func dates() throws {
        let pki = try PKI.made()
        let hour: TimeInterval = 3600
        func at(_ start: TimeInterval, _ end: TimeInterval?) -> OCSPForge {
            OCSPForge(
                pki,
                Single(
                    status: .good,
                    thisUpdate: Date(timeIntervalSinceNow: start),
                    nextUpdate: end.map { Date(timeIntervalSinceNow: $0) }
                )
            )
        }
        try expectUseless(at(hour, 2 * hour), "from the future")
        try expectUseless(at(-2 * hour, -hour), "out of date")
        try expectUseless(at(-8 * 24 * hour, nil), "a week old")
        #expect(try verdicts(at(-hour, nil)).hard == .trusted)
    }

    @Test("a stapled status of unknown does not hide a responder's status of revoked")
    func unknownStaple() async throws {
        let pki = try PKI.made()
        for (name, due) in [("revoked", Verdict.revocation), ("revocable", .trusted)] {
            var forge = OCSPForge(pki, Single(status: .unknown))
            forge.certificate = name
            let trust = ServerTrust(
                chain: try pki.chain(name).map(\.der),
                host: "localhost",
                stapledOCSPResponse: try forge.response()
            )
            let evaluator = RevocationTrustEvaluator(
                options: .ocsp,
                policy: .trusting([try pki.certificate("intermediate")]),
                transport: ScriptedTransport.responder(pki),
                limit: .seconds(20)
            )
            let verdict: Verdict
            do {
                try await evaluator.evaluateAsync(trust, forHost: "localhost")
                verdict = .trusted
            } catch {
                verdict = Verdict(error)
            }
            #expect(verdict == due, "\(name)")
        }
    }
}
