import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation
import Synchronization
import Testing

@Suite("Every evaluator against every kind of server", .timeLimit(.minutes(5)))
struct EvaluatorTableTests {
    @Test("DefaultTrustEvaluator", arguments: Kind.all)
    func standard(kind: Kind) throws {
        let pki = try PKI.made()
        let trust = try pki.trust(kind.name, host: kind.host)
        let evaluator = DefaultTrustEvaluator(policy: try pki.policy)
        #expect(Verdict.of(evaluator, trust) == kind.verdict)
        let report = trust.report(policy: try pki.policy)
        #expect(report.isTrusted == (kind.verdict == .trusted), "\(report)")
        #expect(kind.words.isEmpty || report.description.contains(kind.words), "\(report)")
        let careless = DefaultTrustEvaluator(validateHost: false, policy: try pki.policy)
        #expect(Verdict.of(careless, trust) == (kind.verdict == .host ? .trusted : kind.verdict))
        #expect(Verdict.of(DefaultTrustEvaluator(), trust) == .chain, "the system knows none of these")
    }

    @Test("PinnedCertificatesTrustEvaluator", arguments: Kind.all)
    func certificates(kind: Kind) throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        let trust = try pki.trust(kind.name, host: kind.host)
        let own = [try pki.certificate(kind.name)]
        #expect(Verdict.of(PinnedCertificatesTrustEvaluator(certificates: own, policy: policy), trust) == kind.verdict)
        // Pinned but not among what signatures lead to: neither the other root, nor another server's certificate.
        let others = [try pki.certificate("client"), try pki.certificate("other-root")]
        let expected = kind.verdict == .trusted ? Verdict.certificatePin : kind.verdict
        #expect(Verdict.of(PinnedCertificatesTrustEvaluator(certificates: others, policy: policy), trust) == expected)
        let bare = PinnedCertificatesTrustEvaluator(
            certificates: own,
            performDefaultValidation: false,
            validateHost: false
        )
        #expect(Verdict.of(bare, trust) == .trusted)
    }

    @Test("PublicKeysTrustEvaluator and PinSetTrustEvaluator", arguments: Kind.all)
    func keys(kind: Kind) throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        let trust = try pki.trust(kind.name, host: kind.host)
        let own = try pki.certificate(kind.name).publicKey
        let other = try pki.certificate("client").publicKey
        #expect(Verdict.of(PublicKeysTrustEvaluator(keys: [other, own], policy: policy), trust) == kind.verdict)
        let wrongKey = kind.verdict == .trusted ? Verdict.keyPin : kind.verdict
        #expect(Verdict.of(PublicKeysTrustEvaluator(keys: [other], policy: policy), trust) == wrongKey)
        let backup = try PinSet([other.pin], backupPins: [own.pin])
        #expect(Verdict.of(PinSetTrustEvaluator(backup, policy: policy), trust) == kind.verdict)
        let wrongPin = kind.verdict == .trusted ? Verdict.pin : kind.verdict
        #expect(Verdict.of(PinSetTrustEvaluator(try PinSet([other.pin]), policy: policy), trust) == wrongPin)
        let old = try PinSet([other.pin], expiry: Date(timeIntervalSinceNow: -1))
        #expect(Verdict.of(PinSetTrustEvaluator(old, policy: policy), trust) == kind.verdict, "no pin, but the rest")
        let bare = PinSetTrustEvaluator(
            old, performDefaultValidation: false, validateHost: false, policy: policy)
        #expect(Verdict.of(bare, trust) == kind.verdict, "without pins nothing else authenticates the server")
        let chainOnly = PinSetTrustEvaluator(old, validateHost: false, policy: policy)
        #expect(Verdict.of(chainOnly, trust) == (kind.verdict == .host ? .trusted : kind.verdict), "as chosen")
        let young = try PinSet([other.pin], expiry: Date(timeIntervalSinceNow: 3600))
        #expect(Verdict.of(PinSetTrustEvaluator(young, policy: policy), trust) == wrongPin)
    }

    @Test("RevocationTrustEvaluator, with lists", arguments: Kind.all)
    func revocation(kind: Kind) throws {
        let pki = try PKI.made()
        let lists = try pki.lists("issuing.crl") + pki.lists("root.crl")
        let evaluator = RevocationTrustEvaluator(options: .crl, policy: try pki.policy, crls: lists)
        let trust = try pki.trust(kind.name, host: kind.host)
        let expected: Verdict = ["revoked", "must-staple"].contains(kind.name) ? .revocation : kind.verdict
        #expect(Verdict.of(evaluator, trust) == expected)
    }

    @Test("DisabledTrustEvaluator and CompositeTrustEvaluator", arguments: Kind.all)
    func others(kind: Kind) throws {
        let pki = try PKI.made()
        let trust = try pki.trust(kind.name, host: kind.host)
        #expect(Verdict.of(DisabledTrustEvaluator(), trust) == .trusted)
        let both = CompositeTrustEvaluator(evaluators: [
            DisabledTrustEvaluator(), DefaultTrustEvaluator(policy: try pki.policy),
        ])
        #expect(Verdict.of(both, trust) == kind.verdict)
        #expect(Verdict.of(CompositeTrustEvaluator(evaluators: []), trust) == .trusted)
    }

    @Test("TrustOnFirstUseEvaluator and ReportOnlyTrustEvaluator", arguments: Kind.all)
    func new(kind: Kind) throws {
        let pki = try PKI.made()
        let trust = try pki.trust(kind.name, host: kind.host)
        let first = TrustOnFirstUseEvaluator(store: MemoryFirstUseStore())
        #expect(Verdict.of(first, trust) == .trusted)
        #expect(Verdict.of(first, trust) == .trusted)
        let impostor = ServerTrust(chain: try pki.chain("client").map(\.der), host: kind.host)
        #expect(Verdict.of(first, impostor) == .pin)
        let reported = Mutex(0)
        let pin = try PinSet([try pki.certificate("client").publicKey.pin])
        let pinned = PinSetTrustEvaluator(pin, policy: try pki.policy)
        let trial = ReportOnlyTrustEvaluator(pinned) { _, _ in reported.withLock { $0 += 1 } }
        #expect(Verdict.of(trial, trust) == kind.verdict)
        #expect(reported.withLock { $0 } == (kind.verdict == .trusted ? 1 : 0))
    }
}

@Suite("Evaluators", .timeLimit(.minutes(5)))
struct EvaluatorTests {
    @Test("an evaluator without pins refuses every server")
    func empty() throws {
        let trust = try PKI.made().trust("valid")
        #expect(Verdict.of(PinnedCertificatesTrustEvaluator(certificates: []), trust) == .empty)
        #expect(Verdict.of(PublicKeysTrustEvaluator(keys: []), trust) == .empty)
        #expect(throws: CertificateError.self) { try PinSet([]) }
        for malformed in ["", "sha256/", "sha256/AAAA", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "abc"] {
            #expect(throws: CertificateError.self) { try PinSet([malformed]) }
        }
    }

    @Test("a pinned certificate that did not sign the chain does not count")
    func appendedPin() throws {
        let pki = try PKI.made()
        // The attacker's certificate is valid, by a root that the client trusts.
        let attacker = try pki.chain("rsa-leaf") + pki.chain("valid")
        let trust = ServerTrust(certificates: attacker, host: "localhost")
        for pinned in [try pki.certificate("valid"), try pki.certificate("intermediate"), try pki.certificate("root")] {
            for isValidated in [true, false] {
                let byCertificate = PinnedCertificatesTrustEvaluator(
                    certificates: [pinned],
                    performDefaultValidation: isValidated,
                    validateHost: isValidated,
                    policy: try pki.policy
                )
                #expect(Verdict.of(byCertificate, trust) == .certificatePin)
                let byKey = PublicKeysTrustEvaluator(
                    keys: [pinned.publicKey],
                    performDefaultValidation: isValidated,
                    validateHost: isValidated,
                    policy: try pki.policy
                )
                #expect(Verdict.of(byKey, trust) == .keyPin)
            }
        }
    }

    @Test("a self-signed server is trusted if its certificate is pinned and accepted as a root")
    func selfSigned() throws {
        let pki = try PKI.made()
        let own = try pki.chain("self-signed")
        let accepting = PinnedCertificatesTrustEvaluator(certificates: own, acceptSelfSignedCertificates: true)
        #expect(Verdict.of(accepting, try pki.trust("self-signed")) == .trusted)
        #expect(Verdict.of(accepting, try pki.trust("self-signed", host: "other.test")) == .host)
        #expect(Verdict.of(accepting, try pki.trust("valid")) == .chain, "the pins are the only roots")
        let refusing = PinnedCertificatesTrustEvaluator(certificates: own)
        #expect(Verdict.of(refusing, try pki.trust("self-signed")) == .chain)
    }

    @Test("the error of a failed pinning names the server's certificates and the pinned ones")
    func words() throws {
        let pki = try PKI.made()
        let trust = try pki.trust("valid")
        let stranger = try pki.certificate("client")
        let evaluators: [(any ServerTrustEvaluating, [String])] = [
            (
                PinnedCertificatesTrustEvaluator(certificates: [stranger], policy: try pki.policy),
                ["CN=valid", "CN=Security Test Root", String(stranger.fingerprint.prefix(16))]
            ),
            (
                PublicKeysTrustEvaluator(keys: [stranger.publicKey], policy: try pki.policy),
                [try pki.certificate("valid").publicKey.pin + " of CN=valid", stranger.publicKey.pin]
            ),
            (
                PinSetTrustEvaluator(try PinSet([stranger.publicKey.pin]), policy: try pki.policy),
                [try pki.certificate("valid").publicKey.pin, stranger.publicKey.pin]
            ),
        ]
        for (evaluator, expected) in evaluators {
            let error = #expect(throws: AFError.self) { try evaluator.evaluate(trust, forHost: "localhost") }
            for word in expected {
                #expect(error?.errorDescription?.contains(word) == true, "\(word): \(error?.errorDescription ?? "")")
            }
        }
    }

    @Test("a pinned authority covers all certificates that it issued")
    func authority() throws {
        let pki = try PKI.made()
        for name in ["intermediate", "root"] {
            let pinned = PinnedCertificatesTrustEvaluator(
                certificates: [try pki.certificate(name)],
                policy: try pki.policy
            )
            #expect(Verdict.of(pinned, try pki.trust("valid")) == .trusted)
            #expect(Verdict.of(pinned, try pki.trust("rsa-leaf")) == .certificatePin)
        }
    }

    @Test("a server without certificates is trusted by the disabled evaluator only")
    func nothing() throws {
        let pki = try PKI.made()
        let certificate = try pki.certificate("valid")
        let pin = try PinSet([certificate.publicKey.pin], expiry: .distantPast)
        for chain in [[], [DER([])], [DER([1, 2, 3])]] {
            let trust = ServerTrust(chain: chain, host: "localhost")
            let evaluators: [any ServerTrustEvaluating] = [
                DefaultTrustEvaluator(), DefaultTrustEvaluator(validateHost: false),
                RevocationTrustEvaluator(performDefaultValidation: false, validateHost: false),
                PinnedCertificatesTrustEvaluator(
                    certificates: [certificate], performDefaultValidation: false, validateHost: false),
                PublicKeysTrustEvaluator(
                    keys: [certificate.publicKey], performDefaultValidation: false, validateHost: false),
                PinSetTrustEvaluator(pin, performDefaultValidation: false, validateHost: false),
                TrustOnFirstUseEvaluator(store: MemoryFirstUseStore()),
                CertificateTransparencyTrustEvaluator(
                    logs: [], minimumTimestamps: 0, minimumOperators: 0, performDefaultValidation: false,
                    validateHost: false),
                ClosureTrustEvaluator { _, _ in },
            ]
            for evaluator in evaluators {
                #expect(throws: AFError.self, "\(evaluator)") { try evaluator.evaluate(trust, forHost: "localhost") }
            }
        }
    }

    @Test("known logs must have signed for the certificate (RFC 6962 §3.2)")
    func transparency() throws {
        let pki = try PKI.made()
        let logs = try ["log-a", "log-b"].map { name in
            let key = try PublicKey(pem: String(decoding: pki.data("\(name).pub.pem"), as: UTF8.self))
            return TransparencyLog(name: name, operator: "operator of \(name)", key: key)
        }
        #expect(try pki.certificate("logged").signedCertificateTimestamps.map(\.logID) == logs.map(\.identifier))
        func verdict(_ logs: [TransparencyLog], _ name: String = "logged", minimum: Int = 2) throws -> Verdict {
            let evaluator = CertificateTransparencyTrustEvaluator(
                logs: logs,
                minimumTimestamps: minimum,
                minimumOperators: minimum,
                policy: try pki.policy
            )
            return Verdict.of(evaluator, try pki.trust(name))
        }
        #expect(try verdict(logs) == .trusted)
        #expect(try verdict([logs[0]]) == .transparency)
        #expect(try verdict([logs[0]], minimum: 1) == .trusted)
        #expect(try verdict([]) == .transparency)
        #expect(try verdict(logs, "valid") == .transparency)
        #expect(try verdict(logs, "expired") == .chain)
        let oneOperator = logs.map { TransparencyLog(name: $0.name, operator: "one", key: $0.key) }
        #expect(try verdict(oneOperator) == .transparency)
        let retired = logs.map {
            TransparencyLog(name: $0.name, operator: $0.name, key: $0.key, retiredAt: .distantPast)
        }
        #expect(try verdict(retired) == .transparency)
        // The right key under the wrong name of a log signs nothing.
        let client = try pki.certificate("client").publicKey
        #expect(try verdict([logs[0], TransparencyLog(name: "c", operator: "c", key: client)]) == .transparency)
    }

    @Test("keys of first use are stored in a file, and an unreadable file refuses")
    func firstUse() throws {
        let pki = try PKI.made()
        let path = FileManager.default.temporaryDirectory.appending(path: "known-\(UUID().uuidString)").path
        defer { for file in [path, "\(path).lock"] { try? FileManager.default.removeItem(atPath: file) } }
        func evaluator() -> TrustOnFirstUseEvaluator { TrustOnFirstUseEvaluator(store: FileFirstUseStore(path: path)) }
        #expect(Verdict.of(evaluator(), try pki.trust("self-signed")) == .trusted)
        #expect(Verdict.of(evaluator(), try pki.trust("self-signed")) == .trusted)
        #expect(Verdict.of(evaluator(), try pki.trust("valid")) == .pin)
        #expect(Verdict.of(evaluator(), try pki.trust("valid", host: "LOCALHOST.")) == .pin)
        #expect(Verdict.of(evaluator(), try pki.trust("valid", host: "other.test")) == .trusted)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2)
        try Data("garbage\n".utf8).write(to: URL(filePath: path))
        #expect(Verdict.of(evaluator(), try pki.trust("valid")) == .other)
    }

    @Test("a trust has Alamofire's additions")
    func additions() throws {
        let pki = try PKI.made()
        let trust = try pki.trust("valid")
        #expect(throws: AFError.self) { try trust.af.evaluate() }
        try trust.af.setAnchorCertificates([try pki.certificate("root")])
        try trust.af.evaluate()
        try trust.af.performDefaultValidation(forHost: "other.test")
        #expect(throws: AFError.self) { try trust.af.performValidation(forHost: "other.test") }
        try trust.af.performValidation(forHost: "localhost")
        try trust.af.evaluate(afterApplying: ServerTrustPolicy.af.default)
        #expect(throws: AFError.self) { try trust.af.evaluate(afterApplying: ServerTrustPolicy.af.hostname("b.test")) }
        #expect(trust.af.certificates.count == 3)
        #expect(trust.af.publicKeys.first == (try pki.certificate("valid").af.publicKey))
        #expect(trust.af.certificateData.count == 3)
        #expect(throws: CertificateError.self) {
            try trust.af.validate(policy: .hostname("b.test")) { status, result in
                CertificateError("\(status) \(result.af.isSuccess)")
            }
        }
        #expect(throws: AFError.self) { try ServerTrustPolicy.af.revocation(options: []) }
    }
}
