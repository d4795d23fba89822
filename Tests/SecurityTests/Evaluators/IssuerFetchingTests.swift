import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Fetching of missing issuers", .timeLimit(.minutes(5)))
struct IssuerFetchingTests {
    private static let server = "incomplete-intermediate.der"

    @Test("every evaluator that refuses a chain for its missing issuer is called again with the issuer")
    func evaluators() async throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        let leaf = try pki.certificate(Self.server)
        let pins = try PinSet([leaf.publicKey.pin])
        let old = try PinSet([leaf.publicKey.pin], expiry: .distantPast)
        let rows: [(name: String, evaluator: any ServerTrustEvaluating)] = [
            ("default", DefaultTrustEvaluator(policy: policy)),
            ("default without host", DefaultTrustEvaluator(validateHost: false, policy: policy)),
            (
                "certificates",
                PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false, policy: policy)
            ),
            (
                "keys",
                PublicKeysTrustEvaluator(keys: [leaf.publicKey], performDefaultValidation: false, policy: policy)
            ),
            ("pins", PinSetTrustEvaluator(pins, performDefaultValidation: false, policy: policy)),
            (
                "expired pins",
                PinSetTrustEvaluator(old, performDefaultValidation: false, validateHost: false, policy: policy)
            ),
            ("first use", TrustOnFirstUseEvaluator(store: MemoryFirstUseStore(), validateHost: true, policy: policy)),
            ("revocation", RevocationTrustEvaluator(performDefaultValidation: false, policy: policy)),
            (
                "revocation alone",
                RevocationTrustEvaluator(performDefaultValidation: false, validateHost: false, policy: policy)
            ),
        ]
        let issuer = try pki.data("intermediate.der")
        for row in rows {
            let files = ScriptedTransport(engine: "files") { request throws(TransportError) in
                TransportResponse(
                    head: HTTPResponse(status: .ok), body: ResponseBody(issuer), request: request.head)
            }
            let trust = try pki.trust(Self.server)
            #expect(Verdict.of(row.evaluator, trust) != .trusted, "\(row.name)")
            let fetching = IssuerFetchingTrustEvaluator(row.evaluator, transport: files)
            await #expect(throws: Never.self, "\(row.name)") {
                try await fetching.evaluateAsync(try pki.trust(Self.server), forHost: "localhost")
            }
            #expect(files.requests.count == 1, "\(row.name)")
        }
    }

    @Test("nothing is fetched for a certificate of another host")
    func host() async throws {
        let pki = try PKI.made()
        let files = ScriptedTransport(engine: "files") { _ throws(TransportError) in
            throw TransportError(.connectFailed, phase: .connect, processing: .notSent, message: "unexpected")
        }
        let pins = try PinSet([pki.certificate(Self.server).publicKey.pin])
        let pinned = PinSetTrustEvaluator(pins, performDefaultValidation: false, policy: try pki.policy)
        let fetching = IssuerFetchingTrustEvaluator(pinned, transport: files)
        await #expect(throws: AFError.self) {
            try await fetching.evaluateAsync(try pki.trust(Self.server, host: "other.test"), forHost: "other.test")
        }
        #expect(files.requests.isEmpty)
    }
}
