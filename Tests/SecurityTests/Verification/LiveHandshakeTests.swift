import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// The evidence in addition to certificates, in both versions of TLS: the evaluator must receive it.
@Suite("The evidence of a handshake", .serialized, .timeLimit(.minutes(10)))
struct LiveHandshakeTests {
    static let versions = ["-tls1_2", "-tls1_3"]

    @Test("the response that openssl s_server staples decides", arguments: TestedEngine.allCases, versions)
    func stapling(engine: TestedEngine, version: String) async throws {
        let pki = try PKI.made()
        func server(_ name: String, staple: String?) throws -> OpenSSLServer {
            try OpenSSLServer(
                name, pki, arguments: [version] + (staple.map { ["-status_file", pki.path("\($0).ocsp")] } ?? []))
        }
        let evaluator = RevocationTrustEvaluator(options: .ocsp, policy: try pki.policy)
        let rows: [(name: String, staple: String?, verdict: Verdict)] = [
            ("must-staple", "must-staple", .trusted), ("must-staple", nil, .revocation),
            ("must-staple", "valid", .revocation), ("revoked", "revoked", .revocation), ("revoked", nil, .trusted),
            ("revocable", "revocable", .trusted),
        ]
        for row in rows {
            let server = try server(row.name, staple: row.staple)
            let found = await LiveRequest.verdict(engine.transport, evaluator, port: server.port)
            #expect(found == row.verdict, "\(row.name) with \(row.staple ?? "nothing") stapled")
            withExtendedLifetime(server) {}
        }
    }

    @Test(
        "timestamps come as an extension of TLS and in a staple (RFC 6962 §3.3)", arguments: TestedEngine.allCases,
        versions)
    func timestamps(engine: TestedEngine, version: String) async throws {
        let pki = try PKI.made()
        let logs = try ["log-a", "log-b"].map { name in
            let key = try PublicKey(pem: String(decoding: pki.data("\(name).pub.pem"), as: UTF8.self))
            return TransparencyLog(name: name, operator: name, key: key)
        }
        let evaluator = CertificateTransparencyTrustEvaluator(logs: logs, policy: try pki.policy)
        let rows: [(name: String, arguments: [String], verdict: Verdict)] = [
            ("valid", ["-serverinfo", pki.path("serverinfo.pem")], .trusted),
            ("valid", ["-status_file", pki.path("timestamps.ocsp")], .trusted),
            ("valid", ["-status_file", pki.path("valid.ocsp")], .transparency),
            ("valid", [], .transparency),
            // They are for another certificate.
            ("rsa-leaf", ["-serverinfo", pki.path("serverinfo.pem")], .transparency),
        ]
        for row in rows {
            let server = try OpenSSLServer(row.name, pki, arguments: [version] + row.arguments)
            let found = await LiveRequest.verdict(engine.transport, evaluator, port: server.port)
            #expect(found == row.verdict, "\(row.name) \(row.arguments.first ?? "")")
            withExtendedLifetime(server) {}
        }
    }

    private static let hasIPv6 = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains(" lo\n")

    @Test(
        "an engine compares an address with a zone by its address (RFC 9525 §6.4)",
        .enabled(if: hasIPv6 == true, "there is no IPv6 on the loopback interface"),
        arguments: TestedEngine.allCases
    )
    func zone(engine: TestedEngine) async throws {
        let pki = try PKI.made()
        for (name, isTrusted) in [("valid", true), ("wrong-host", false)] {
            let server = try OpenSSLServer(name, pki, arguments: ["-accept", "[::1]:0"])
            do {
                _ = try await LiveRequest.fetch(engine.transport, nil, host: "[::1%25lo]", port: server.port) {
                    request in
                    request.options.resolveOverrides = []
                    request.options.tls.roots = .pemFile(path: pki.path("root.pem"))
                }
                #expect(isTrusted)
            } catch let error as TransportError {
                #expect(!isTrusted && error.code == .trustRefused, "\(error)")
            }
        }
    }

    @Test(
        "libcurl fails immediately, with a message, if the server disconnects during its evaluation",
        arguments: versions)
    func abandoned(version: String) async throws {
        let pki = try PKI.made()
        let server = try OpenSSLServer("valid", pki, arguments: [version])
        let patient = ClosureTrustEvaluator { _, _ in
            server.stop()
            // Until the exchange is over, which cancels the evaluation.
            try await Task.sleep(for: .seconds(3600))
        }
        let error = await #expect(throws: TransportError.self) {
            try await LiveRequest.fetch(TestedEngine.curl.transport, patient, port: server.port)
        }
        #expect(error?.code == .tlsFailed)
        #expect(error?.message == "the server closed the connection while its certificates were evaluated")
    }

    @Test(
        "the client's identity is not presented before the server is trusted", arguments: TestedEngine.allCases,
        versions)
    func identity(engine: TestedEngine, version: String) async throws {
        let pki = try PKI.made()
        let arguments = [version, "-Verify", "2", "-CAfile", pki.path("root.pem"), "-verify_return_error"]
        let server = try OpenSSLServer("valid", pki, arguments: arguments)
        let identity = try ClientIdentity(pkcs12: pki.data("client.p12"), password: "airframe")
        let trusting = ClosureTrustEvaluator { _, _ in
            // The server waits, and has not received the client's certificate.
            #expect(!server.errors.contains("Security Test Client"))
        }
        let refusing = ClosureTrustEvaluator { _, _ in throw CertificateError("no") }
        #expect(
            await LiveRequest.verdict(engine.transport, refusing, port: server.port) { $0.identity = identity }
                == .other)
        #expect(!server.errors.contains("Security Test Client"))
        _ = try await LiveRequest.fetch(engine.transport, trusting, port: server.port) { $0.identity = identity }
        #expect(server.errors.contains("Security Test Client"))
    }

    @Test(
        "a server without a certificate is refused, whatever cipher suites the options name",
        arguments: TestedEngine.allCases, ["HIGH:@SECLEVEL=0", "aNULL:HIGH:@SECLEVEL=0"])
    func anonymous(engine: TestedEngine, suites: String) async throws {
        let anonymous = ["-nocert", "-tls1_2", "-cipher", "aNULL:@SECLEVEL=0"]
        let server = try OpenSSLServer("valid", try PKI.made(), arguments: anonymous)
        let evaluator = ClosureTrustEvaluator { _, _ in Issue.record("there is nothing to evaluate") }
        for evaluator in [nil, evaluator] {
            let error = await #expect(throws: TransportError.self) {
                try await LiveRequest.fetch(engine.transport, evaluator, port: server.port) { request in
                    request.options.tls.minimumVersion = .tls1_0
                    request.options.tls.legacyCipherSuites = [suites]
                }
            }
            #expect(error?.code == .tlsFailed && error?.processing == .notSent, "\(String(describing: error))")
        }
    }
}
