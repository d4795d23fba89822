import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Answers about revocation by an attacker on the path, which arrive in the clear.
@Suite("Forged evidence of revocation", .timeLimit(.minutes(5)))
struct ForgedEvidenceTests {
    /// A server that answers each request with the next file, and then with the last one.
    private func server(_ pki: PKI, _ files: [String]) throws -> ScriptedTransport {
        let contents = try files.map { try pki.data($0) }
        let count = Mutex(0)
        return ScriptedTransport(engine: "CRLs") { request throws(TransportError) in
            let place = count.withLock { count in
                count += 1
                return min(count, contents.count) - 1
            }
            return TransportResponse(
                head: HTTPResponse(status: .ok),
                body: ResponseBody(contents[place]),
                request: request.head
            )
        }
    }

    private func outcome(
        _ name: String,
        _ options: RevocationOptions,
        over transport: ScriptedTransport,
        _ cache: RevocationCache
    ) async throws -> (verdict: Verdict, words: String) {
        let pki = try PKI.made()
        let evaluator = RevocationTrustEvaluator(
            options: options,
            policy: try pki.policy,
            // For the intermediate, which names no CRL.
            crls: try pki.lists("root.crl"),
            transport: transport,
            limit: .seconds(20),
            cache: cache
        )
        do {
            try await evaluator.evaluateAsync(try pki.trust(name), forHost: "localhost")
            return (.trusted, "")
        } catch {
            return (Verdict(error), error.asAFError?.errorDescription ?? "\(error)")
        }
    }

    @Test(
        "a CRL with another signature, or for other certificates, is not cached and hides no revocation",
        arguments: [".crl", "-other.crl"]
    )
    func hidden(ending: String) async throws {
        let pki = try PKI.made()
        let file = try pki.makeImpostor() + ending
        let cache = RevocationCache()
        let server = try server(pki, [file, "issuing.crl"])
        // Soft fail: the status is unknown.
        #expect(try await outcome("revoked", .crl, over: server, cache).verdict == .trusted)
        #expect(try await outcome("revoked", .crl, over: server, cache).verdict == .revocation)
        #expect(server.requests.count == 2)
        // The issuer's own list is cached.
        #expect(try await outcome("revoked", .crl, over: server, cache).verdict == .revocation)
        #expect(server.requests.count == 2)
    }

    @Test("a CRL with another signature revokes nothing, and does not keep hard fail from the issuer's list")
    func revoking() async throws {
        let pki = try PKI.made()
        let file = try pki.makeImpostor() + ".crl"
        let soft = try server(pki, [file])
        #expect(try await outcome("revocable", .crl, over: soft, RevocationCache()).verdict == .trusted)
        let cache = RevocationCache()
        let server = try server(pki, [file, "issuing.crl"])
        let hard: RevocationOptions = [.crl, .requirePositiveResponse]
        let refused = try await outcome("revocable", hard, over: server, cache)
        #expect(refused.verdict == .revocation)
        #expect(refused.words.contains("is not signed by CN=Security Test Intermediate"), "\(refused.words)")
        #expect(try await outcome("revocable", hard, over: server, cache).verdict == .trusted)
    }

    @Test(
        "an OCSP response that is not verified is not cached",
        arguments: [ResponderFault.garbage, .anotherCertificate]
    )
    func responses(fault: ResponderFault) async throws {
        let pki = try PKI.made()
        let cache = RevocationCache()
        let forging = ScriptedTransport.responder(pki, fault: fault)
        #expect(try await outcome("revoked", .ocsp, over: forging, cache).verdict == .trusted)
        let responder = ScriptedTransport.responder(pki)
        #expect(try await outcome("revoked", .ocsp, over: responder, cache).verdict == .revocation)
    }

    @Test("a staple counts only if its signer's key also signed the certificate, even without default validation")
    func impostor() throws {
        let pki = try PKI.made()
        let name = try pki.makeImpostor()
        var forge = OCSPForge(pki, OCSPForge.Single(status: .good))
        forge.certificate = "revoked"
        forge.issuer = name
        forge.signer = name
        // The impostor's certificate is valid from now on.
        forge.producedAt = Date()
        let trust = ServerTrust(
            chain: try [pki.certificate("revoked"), pki.certificate(name)].map(\.der),
            host: "localhost",
            stapledOCSPResponse: try forge.response()
        )
        for options in [RevocationOptions.ocsp, [.ocsp, .requirePositiveResponse]] {
            let evaluator = RevocationTrustEvaluator(
                performDefaultValidation: false,
                validateHost: false,
                options: options,
                policy: try pki.policy
            )
            #expect(Verdict.of(evaluator, trust) == .revocation)
        }
    }
}
