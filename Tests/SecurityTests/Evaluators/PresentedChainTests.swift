import AirframeCore
import AirframeOpenSSL
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// A server whose own certificate OpenSSL accepts and the strict parser rejects, followed by those of another server.
@Suite("The certificate of the handshake", .serialized, .timeLimit(.minutes(5)))
struct PresentedChainTests {
    /// Returns the certificate with a boolean that is neither 0 nor 255 (ITU-T X.690 §11.1): whether its basic
    /// constraints are critical.
    private static func malformed(_ certificate: Certificate) throws -> DER {
        let pattern: [UInt8] = [0x55, 0x1D, 0x13, 0x01, 0x01, 0xFF]
        let bytes = certificate.der.bytes
        let found = bytes.indices.first { bytes[$0...].starts(with: pattern) }
        let last = try #require(found) + pattern.count - 1
        let der = DER(Array(bytes[..<last]) + [0x01] + bytes[(last + 1)...])
        #expect(CertificateReference(der) != nil)
        #expect(throws: CertificateError.self) { try Certificate(der: der) }
        return der
    }

    /// The attacker's malformed certificate, with a key that is not the server's, and then the server's chain.
    private static func attack(_ pki: PKI) throws -> ServerTrust {
        let chain = [try malformed(pki.certificate("rsa-leaf"))] + (try pki.chain("valid").map(\.der))
        return ServerTrust(chain: chain, host: "localhost")
    }

    @Test("no other certificate takes the place of a malformed one")
    func report() throws {
        let pki = try PKI.made()
        let trust = try Self.attack(pki)
        for policy in [try pki.policy, ChainPolicy()] {
            let report = trust.report(policy: policy)
            #expect(!report.isTrusted && report.description.contains("malformed"), "\(report)")
            #expect(report.presented.isEmpty && report.chain.isEmpty && report.authenticated.isEmpty)
        }
        #expect(trust.af.certificates.isEmpty && trust.af.publicKeys.isEmpty)
    }

    @Test("every evaluator refuses it, whatever is pinned and however little is validated")
    func evaluators() throws {
        let pki = try PKI.made()
        let trust = try Self.attack(pki)
        let policy = try pki.policy
        let pinned = try pki.chain("valid")
        let pins = try PinSet(pinned.map(\.publicKey.pin))
        let store = MemoryFirstUseStore()
        _ = store.remember(pinned[0].publicKey.pin, forHost: "localhost", port: 443)
        let empty = MemoryFirstUseStore()
        let evaluators: [any ServerTrustEvaluating] = [
            TrustOnFirstUseEvaluator(store: store), TrustOnFirstUseEvaluator(store: empty),
            PinnedCertificatesTrustEvaluator(
                certificates: pinned, performDefaultValidation: false, validateHost: false, policy: policy),
            PinnedCertificatesTrustEvaluator(
                certificates: pinned, acceptSelfSignedCertificates: true, performDefaultValidation: false,
                validateHost: false),
            PublicKeysTrustEvaluator(
                keys: pinned.map(\.publicKey), performDefaultValidation: false, validateHost: false, policy: policy),
            PinSetTrustEvaluator(pins, performDefaultValidation: false, validateHost: false, policy: policy),
            CertificateTransparencyTrustEvaluator(
                logs: [], minimumTimestamps: 0, minimumOperators: 0, performDefaultValidation: false,
                validateHost: false, policy: policy),
            RevocationTrustEvaluator(performDefaultValidation: false, validateHost: false, policy: policy),
            DefaultTrustEvaluator(validateHost: false, policy: policy),
            ReportOnlyTrustEvaluator(TrustOnFirstUseEvaluator(store: store), policy: policy) { _, _ in },
            ReportOnlyTrustEvaluator(
                PinSetTrustEvaluator(pins, performDefaultValidation: false, validateHost: false), policy: policy
            ) { _, _ in },
        ]
        for evaluator in evaluators {
            // Some of them set the anchors of the trust.
            let fresh = ServerTrust(chain: trust.chain, host: "localhost")
            #expect(Verdict.of(evaluator, fresh) != .trusted, "\(type(of: evaluator))")
        }
        #expect(empty.remember("none", forHost: "localhost", port: 443) == "none", "no key was stored")
    }

    @Test("the error of a refused server has no certificate of another server")
    func errors() throws {
        let pki = try PKI.made()
        let trust = try Self.attack(pki)
        let evaluators: [any ServerTrustEvaluating] = [
            DefaultTrustEvaluator(policy: try pki.policy),
            PublicKeysTrustEvaluator(
                keys: [try pki.certificate("client").publicKey], performDefaultValidation: false, validateHost: false),
        ]
        for evaluator in evaluators {
            let error = #expect(throws: AFError.self) { try evaluator.evaluate(trust, forHost: "localhost") }
            guard case .serverTrustEvaluationFailed(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.serverCertificates?.isEmpty == true, "\(type(of: evaluator))")
        }
    }

    @Test("the certificates after a malformed one keep their positions, and still complete the chain")
    func positions() throws {
        let pki = try PKI.made()
        let chain = try pki.chain("valid")
        let stranger = try Self.malformed(pki.certificate("rsa-leaf"))
        let trust = ServerTrust(chain: [chain[0].der, stranger, chain[1].der], host: "localhost")
        let report = trust.report(policy: try pki.policy)
        #expect(report.isTrusted, "\(report)")
        #expect(report.presented == [chain[0]])
        #expect(report.chain.prefix(2) == chain[...])
    }

    @Test("a key of first use is compared with the handshake's", arguments: TestedEngine.allCases)
    func live(engine: TestedEngine) async throws {
        let pki = try PKI.made()
        let name = "malformed-\(engine)"
        let leaf = PEM.text(of: try Self.malformed(pki.certificate("rsa-leaf")), label: "CERTIFICATE")
        let text = leaf + (try pki.chain("valid").map(\.pem).joined())
        try Data(text.utf8).write(to: URL(filePath: pki.path("\(name).pem")))
        try pki.run("cp rsa-leaf.key \(name).key")
        let server = try OpenSSLServer(name, pki)
        let store = MemoryFirstUseStore()
        _ = store.remember(try pki.certificate("valid").publicKey.pin, forHost: "localhost", port: server.port)
        let evaluator = TrustOnFirstUseEvaluator(store: store)
        #expect(await LiveRequest.verdict(engine.transport, evaluator, port: server.port) == .chain)
        withExtendedLifetime(server) {}
    }
}
