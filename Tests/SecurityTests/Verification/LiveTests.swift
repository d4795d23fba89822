import AirframeCore
import AirframeCurl
import AirframeSecurity
import AirframeSerialization
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite(
    "Evaluators over the engines, against nginx and openssl s_server",
    .enabled(if: LiveServers.areExpected, "nginx is not installed"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct LiveTests {
    @Test("every evaluator, every kind", arguments: TestedEngine.allCases, Kind.all)
    func table(engine: TestedEngine, kind: Kind) async throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        let transport = engine.transport
        // Kept until the end: it ends the server.
        let special = LiveServers.refusedByNginx.contains(kind.name) ? try OpenSSLServer(kind.name, pki) : nil
        let servers = try LiveServers.running()
        let port = try special?.port ?? servers.port(kind.name)
        let certificate = try pki.certificate(kind.name)
        let stranger = try pki.certificate("client")
        let isTrusted = kind.verdict == .trusted
        let lists = try pki.lists("issuing.crl") + pki.lists("root.crl")
        let isRevoked = kind.name == "revoked"
        let rows: [(any ServerTrustEvaluating, Verdict)] = [
            (DefaultTrustEvaluator(policy: policy), kind.verdict),
            (PinnedCertificatesTrustEvaluator(certificates: [certificate], policy: policy), kind.verdict),
            (
                PinnedCertificatesTrustEvaluator(certificates: [stranger], policy: policy),
                isTrusted ? .certificatePin : kind.verdict
            ),
            (PublicKeysTrustEvaluator(keys: [certificate.publicKey], policy: policy), kind.verdict),
            (
                PublicKeysTrustEvaluator(keys: [stranger.publicKey], policy: policy),
                isTrusted ? .keyPin : kind.verdict
            ),
            (
                PinSetTrustEvaluator(try PinSet([stranger.publicKey.pin]), policy: policy),
                isTrusted ? .pin : kind.verdict
            ),
            // nginx staples for those that must.
            (RevocationTrustEvaluator(options: .ocsp, policy: policy), isRevoked ? .revocation : kind.verdict),
            (
                RevocationTrustEvaluator(options: .crl, policy: policy, crls: lists),
                isRevoked ? .revocation : kind.verdict
            ),
            (
                CompositeTrustEvaluator(evaluators: [
                    DefaultTrustEvaluator(policy: policy), ClosureTrustEvaluator { _, _ in },
                ]), kind.verdict
            ),
            (TrustOnFirstUseEvaluator(store: MemoryFirstUseStore()), .trusted),
            (DisabledTrustEvaluator(), .trusted),
        ]
        for (evaluator, expected) in rows {
            let found = await LiveRequest.verdict(transport, evaluator, host: kind.host, port: port)
            #expect(found == expected, "\(type(of: evaluator))")
        }
        withExtendedLifetime(special) {}
    }

    @Test(
        "a request with a wrong pin does not reach the server, on any connection",
        arguments: TestedEngine.allCases,
        [TLSVersion.tls1_2, .tls1_3]
    )
    func wrongPin(engine: TestedEngine, version: TLSVersion) async throws {
        let pki = try PKI.made()
        let servers = try LiveServers.running()
        let port = try servers.port("logged")
        let transport = engine.transport
        let right = PublicKeysTrustEvaluator(keys: [try pki.certificate("logged").publicKey], policy: try pki.policy)
        let wrong = PublicKeysTrustEvaluator(keys: [try pki.certificate("client").publicKey], policy: try pki.policy)
        let before = try servers.requests("logged").count
        func bound(_ request: inout TransportRequest) {
            request.options.tls.minimumVersion = version
            request.options.tls.maximumVersion = version
        }
        #expect(await LiveRequest.verdict(transport, wrong, port: port, change: bound) == .keyPin)
        let first = try await LiveRequest.fetch(transport, right, port: port, change: bound)
        #expect(first.connection?.isReused == false)
        #expect(first.connection?.tls?.version == version)
        // The connection that was trusted by one evaluator is there, and must not be used under another.
        #expect(await LiveRequest.verdict(transport, wrong, port: port, change: bound) == .keyPin)
        let second = try await LiveRequest.fetch(transport, right, port: port, change: bound)
        #expect(second.connection?.isReused == true)
        #expect(second.connection?.id == first.connection?.id)
        let other = PublicKeysTrustEvaluator(keys: [try pki.certificate("logged").publicKey], policy: try pki.policy)
        let third = try await LiveRequest.fetch(transport, other, port: port, change: bound)
        #expect(third.connection?.isReused == false, "another evaluator decides for itself")
        try await servers.waitForRequests(before + 3, "logged")
        #expect(try servers.requests("logged").count == before + 3)
    }

    @Test(
        "a session reports a wrong pin, and a custom evaluator's error, as an AFError", arguments: TestedEngine.allCases
    )
    func session(engine: TestedEngine) async throws {
        let pki = try PKI.made()
        let servers = try LiveServers.running()
        let port = try servers.port("ed25519-leaf")
        let before = try servers.requests("ed25519-leaf").count
        func error(_ evaluators: [String: any ServerTrustEvaluating]) async -> AFError? {
            let session = Session(
                transport: engine.transport,
                serverTrustManager: ServerTrustManager(evaluators: evaluators)
            )
            return await session.request("https://localhost:\(port)/").serializingData().response.error
        }
        let pinned = [try pki.certificate("client")]
        let wrong = await error([
            "localhost": PinnedCertificatesTrustEvaluator(certificates: pinned, policy: try pki.policy)
        ])
        guard case .serverTrustEvaluationFailed(.certificatePinningFailed(let host, _, _, let sent)) = wrong else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        #expect(host == "localhost")
        #expect(sent.first == (try pki.certificate("ed25519-leaf").der))
        let missing = await error(["other.test": DisabledTrustEvaluator()])
        guard case .serverTrustEvaluationFailed(.noRequiredEvaluator("localhost")) = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        let custom = await error(["*": ClosureTrustEvaluator { _, _ in throw CertificateError("not today") }])
        guard case .serverTrustEvaluationFailed(.customEvaluationFailed(let reason)) = custom else {
            Issue.record("\(String(describing: custom))")
            return
        }
        #expect(reason as? CertificateError == CertificateError("not today"))
        #expect(try servers.requests("ed25519-leaf").count == before)
        #expect(await error(["localhost": DefaultTrustEvaluator(policy: try pki.policy)]) == nil)
    }
}
