import AirframeCore
import AirframeCurl
import AirframeSecurity
import AirframeSerialization
import AirframeSocket
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The engines that evaluators are asked by.
enum Engine: String, Sendable, CaseIterable {
    case curl
    case socket

    func make() -> any Transport {
        switch self {
        case .curl: CurlTransport()
        case .socket: SocketTransport()
        }
    }
}

@Suite(
    "Evaluators over the engines, against nginx and openssl s_server",
    .enabled(if: LiveServers.areExpected, "nginx is not installed"),
    .serialized,
    .timeLimit(.minutes(5))
)
struct LiveTests {
    /// Sends a request for `host` to a port of this machine.
    private func fetch(
        _ transport: any Transport,
        _ evaluator: any ServerTrustEvaluating,
        host: String = "localhost",
        port: Int
    ) async throws -> TransportResponse {
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: "https", authority: "\(host):\(port)", path: "/"),
            trust: EvaluatorTrust(evaluator)
        )
        request.options.deadline = .seconds(30)
        request.options.resolveOverrides = [ResolveOverride(host: host, port: port, addresses: ["127.0.0.1"])]
        let response = try await transport.send(request)
        // `openssl s_server` ends its page by close_notify, and closes only after its client.
        _ = try await response.body.collect(upTo: 1 << 20)
        return response
    }

    private func verdict(
        _ transport: any Transport,
        _ evaluator: any ServerTrustEvaluating,
        host: String = "localhost",
        port: Int
    ) async -> Verdict {
        do {
            _ = try await fetch(transport, evaluator, host: host, port: port)
            return .trusted
        } catch let error as TransportError where error.isTrustFailure {
            #expect(error.processing == .notSent)
            #expect(error.phase == .tls)
            return Verdict(error.underlying)
        } catch {
            Issue.record("\(error)")
            return .other
        }
    }

    @Test("every evaluator, every kind", arguments: Engine.allCases, Kind.all)
    func table(engine: Engine, kind: Kind) async throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        let transport = engine.make()
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
            // The first staple may come after the first handshake: nginx loads it when it starts.
            let found = await verdict(transport, evaluator, host: kind.host, port: port)
            #expect(found == expected, "\(type(of: evaluator))")
        }
        withExtendedLifetime(special) {}
    }

    @Test("a request whose pin is wrong never reaches the server, on no connection", arguments: Engine.allCases)
    func wrongPin(engine: Engine) async throws {
        let pki = try PKI.made()
        let servers = try LiveServers.running()
        let port = try servers.port("logged")
        let transport = engine.make()
        let right = PublicKeysTrustEvaluator(keys: [try pki.certificate("logged").publicKey], policy: try pki.policy)
        let wrong = PublicKeysTrustEvaluator(keys: [try pki.certificate("client").publicKey], policy: try pki.policy)
        let before = try servers.requests("logged").count
        #expect(await verdict(transport, wrong, port: port) == .keyPin)
        let first = try await fetch(transport, right, port: port)
        #expect(first.connection?.isReused == false)
        // The connection that was trusted by one evaluator is there, and must not be used under another.
        #expect(await verdict(transport, wrong, port: port) == .keyPin)
        let second = try await fetch(transport, right, port: port)
        #expect(second.connection?.isReused == true)
        #expect(second.connection?.id == first.connection?.id)
        let other = PublicKeysTrustEvaluator(keys: [try pki.certificate("logged").publicKey], policy: try pki.policy)
        let third = try await fetch(transport, other, port: port)
        #expect(third.connection?.isReused == false, "another evaluator judges for itself")
        try await servers.waitForRequests(before + 3, "logged")
        #expect(try servers.requests("logged").count == before + 3)
    }

    @Test("a session tells of a wrong pin by an AFError, and of a custom evaluator's error", arguments: Engine.allCases)
    func session(engine: Engine) async throws {
        let pki = try PKI.made()
        let servers = try LiveServers.running()
        let port = try servers.port("ed25519-leaf")
        let before = try servers.requests("ed25519-leaf").count
        func error(_ evaluators: [String: any ServerTrustEvaluating]) async -> AFError? {
            let session = Session(
                transport: engine.make(),
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

    @Test("openssl s_server staples, and the staple decides", arguments: Engine.allCases)
    func stapling(engine: Engine) async throws {
        let pki = try PKI.made()
        let arguments = ["-status_file", pki.path("must-staple.ocsp")]
        let stapling = try OpenSSLServer("must-staple", pki, arguments: arguments)
        let silent = try OpenSSLServer("must-staple", pki)
        let evaluator = RevocationTrustEvaluator(options: .ocsp, policy: try pki.policy)
        #expect(await verdict(engine.make(), evaluator, port: stapling.port) == .trusted)
        #expect(await verdict(engine.make(), evaluator, port: silent.port) == .revocation)
        withExtendedLifetime((stapling, silent)) {}
    }
}
