import AirframeCore
import AirframeOpenSSL
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// No way out of an evaluation but a clear yes accepts.
@Suite("Failing closed", .timeLimit(.minutes(5)))
struct FailClosedTests {
    private struct Broken: Error {}

    private func error(
        _ evaluator: any ServerTrustEvaluating,
        _ presentation: ServerPresentation,
        limit: Duration = .seconds(60)
    ) async -> AFError? {
        do {
            try await EvaluatorTrust(evaluator, limit: limit).evaluate(presentation)
            return nil
        } catch {
            return error as? AFError
        }
    }

    private func presentation(_ name: String = "valid") throws -> ServerPresentation {
        ServerPresentation(chain: try PKI.made().chain(name).map(\.der), host: "localhost", port: 443)
    }

    @Test("an evaluator refuses by throwing any error")
    func throwing() async throws {
        let valid = try presentation()
        let custom = await error(ClosureTrustEvaluator { _, _ in throw Broken() }, valid)
        guard case .serverTrustEvaluationFailed(.customEvaluationFailed(let reason)) = custom else {
            Issue.record("\(String(describing: custom))")
            return
        }
        #expect(reason is Broken)
        #expect(await error(ClosureTrustEvaluator { _, _ in throw CancellationError() }, valid) != nil)
        let nested = CompositeTrustEvaluator(evaluators: [
            DisabledTrustEvaluator(), ClosureTrustEvaluator { _, _ in throw Broken() }, DisabledTrustEvaluator(),
        ])
        #expect(await error(nested, valid) != nil)
        // It only reports failed pins; any other error still rejects.
        let reporting = ReportOnlyTrustEvaluator(nested) { _, _ in }
        #expect(await error(reporting, valid) != nil)
    }

    @Test("an evaluator that takes too long refuses, even if it ignores its cancellation")
    func slow() async throws {
        let valid = try presentation()
        let gate = AsyncStream<Void>.makeStream()
        let deaf = ClosureTrustEvaluator { _, _ in
            await Task { for await _ in gate.stream { return } }.value
        }
        let refusal = await error(deaf, valid, limit: .milliseconds(50))
        gate.continuation.finish()
        guard case .serverTrustEvaluationFailed(.customEvaluationFailed(let reason)) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect("\(reason)".contains("the evaluation of localhost took longer than"))
    }

    @Test("the synchronous form of an asynchronous evaluator refuses")
    func impatient() throws {
        let trust = try PKI.made().trust("valid")
        #expect(throws: AFError.self) {
            try ClosureTrustEvaluator { _, _ in }.evaluate(trust, forHost: "localhost")
        }
    }

    @Test("a server without certificates is refused by all evaluators except the disabled one")
    func empty() async throws {
        let pki = try PKI.made()
        let none = ServerPresentation(chain: [], host: "localhost", port: 443)
        let policy = try pki.policy
        let evaluators: [any ServerTrustEvaluating] = [
            DefaultTrustEvaluator(policy: policy), DefaultTrustEvaluator(validateHost: false, policy: policy),
            RevocationTrustEvaluator(performDefaultValidation: false, validateHost: false, policy: policy),
            PinnedCertificatesTrustEvaluator(
                certificates: [try pki.certificate("valid")],
                performDefaultValidation: false,
                validateHost: false
            ),
            PublicKeysTrustEvaluator(
                keys: [try pki.certificate("valid").publicKey],
                performDefaultValidation: false,
                validateHost: false
            ),
            PinSetTrustEvaluator(
                try PinSet([try pki.certificate("valid").publicKey.pin]),
                performDefaultValidation: false,
                validateHost: false
            ),
            CertificateTransparencyTrustEvaluator(
                logs: [], minimumTimestamps: 0, minimumOperators: 0, performDefaultValidation: false,
                validateHost: false),
            TrustOnFirstUseEvaluator(store: MemoryFirstUseStore()),
            IssuerFetchingTrustEvaluator(
                DefaultTrustEvaluator(policy: policy), transport: ScriptedTransport.responder(pki)),
        ]
        for evaluator in evaluators {
            let refusal = await error(evaluator, none)
            #expect(refusal != nil, "\(type(of: evaluator))")
            // The error names the missing certificate.
            guard evaluator is DefaultTrustEvaluator || evaluator is RevocationTrustEvaluator else { continue }
            let words = refusal?.errorDescription ?? ""
            #expect(words.contains("sent no certificate"), "\(words)")
        }
    }

    @Test("malformed certificates refuse the chain in any position")
    func malformed() async throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        let valid = try presentation()
        for garbage in [[], [0x30, 0x82], [UInt8](repeating: 0xFF, count: 64), [0x30, 0x03, 0x02, 0x01, 0x01]] {
            for place in valid.chain.indices {
                var broken = valid
                broken.chain[place] = DER(garbage)
                let refusal = await error(DefaultTrustEvaluator(policy: policy), broken)
                #expect(refusal != nil, "place \(place)")
                let words = refusal?.errorDescription ?? ""
                #expect(place != 0 || words.contains("malformed"), "\(words)")
            }
            // Beside a whole chain it is not looked at.
            var more = valid
            more.chain.append(DER(garbage))
            #expect(await error(DefaultTrustEvaluator(policy: policy), more) == nil)
        }
    }

    @Test("malformed staples, timestamps and CRLs do not count")
    func malformedEvidence() async throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        for garbage in [[], [0x30], [UInt8](repeating: 0, count: 300), Array("not DER".utf8)] {
            var stapled = try presentation("must-staple")
            stapled.stapledOCSPResponse = DER(garbage)
            let refusal = await error(RevocationTrustEvaluator(options: .ocsp, policy: policy), stapled)
            #expect(refusal?.errorDescription?.contains("RFC 7633") == true, "\(String(describing: refusal))")
            var timed = try presentation("valid")
            timed.signedCertificateTimestamps = garbage
            timed.stapledOCSPResponse = DER(garbage)
            let key = try PublicKey(pem: String(decoding: pki.data("log-a.pub.pem"), as: UTF8.self))
            let log = TransparencyLog(name: "a", operator: "a", key: key)
            let demanding = CertificateTransparencyTrustEvaluator(
                logs: [log], minimumTimestamps: 1, minimumOperators: 1, policy: policy)
            #expect(await error(demanding, timed) != nil)
            #expect(throws: CertificateError.self) { try CertificateRevocationList(der: DER(garbage)) }
            #expect(CertificateBundle.certificates(in: Data(garbage)).isEmpty)
        }
    }

    @Test(
        "missing or malformed roots trust no server, and the message names them",
        arguments: [
            (TrustRoots.certificates([]), "issued by"), (.certificates([DER([1, 2, 3])]), "root certificate 1 of 1"),
            (.pemFile(path: "/nowhere/roots.pem"), "/nowhere/roots.pem"), (.pemFile(path: "/dev/null"), "/dev/null"),
            (.pemFile(path: "/etc"), "/etc"),
        ]
    )
    func roots(roots: TrustRoots, words: String) async throws {
        let policy = ChainPolicy(roots: roots)
        for name in ["valid", "self-signed"] {
            let refusal = await error(DefaultTrustEvaluator(policy: policy), try presentation(name))
            #expect(refusal != nil)
            if name == "valid" {
                #expect(refusal?.errorDescription?.contains(words) == true, "\(String(describing: refusal))")
            }
            let pin = PublicKeysTrustEvaluator(
                keys: [try PKI.made().certificate(name).publicKey],
                policy: policy
            )
            #expect(await error(pin, try presentation(name)) != nil)
        }
    }

    @Test("a cancelled evaluation refuses, and is not mistaken for one without an answer")
    func cancelled() async throws {
        let pki = try PKI.made()
        let evaluator = RevocationTrustEvaluator(
            options: .ocsp, policy: try pki.policy, transport: ScriptedTransport.responder(pki, fault: .broken))
        let trust = try pki.trust("revocable")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await evaluator.evaluateAsync(trust, forHost: "localhost")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a host that no certificate can name is refused (RFC 9525 §6)")
    func hosts() throws {
        let loopback = [UInt8](repeating: 0, count: 15) + [1]
        #expect(AddressText.bytes("::1") == loopback)
        #expect(AddressText.bytes("::1%1") == loopback)
        #expect(AddressText.bytes("127.0.0.1") == [127, 0, 0, 1])
        let certificate = try PKI.made().certificate("valid")
        #expect(HostMatch.matches(certificate, host: "localhost"))
        for host in ["", ".", ".localhost", "localhost\0", "localhost\0.test"] {
            #expect(!HostMatch.matches(certificate, host: host), "\(host)")
        }
    }
}
