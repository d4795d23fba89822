import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Revocation", .timeLimit(.minutes(5)))
struct RevocationTests {
    private func verdict(
        _ name: String,
        _ options: RevocationOptions,
        isStapled: Bool = false,
        lists: [String] = [],
        over responder: ScriptedTransport? = nil,
        cache: RevocationCache = RevocationCache()
    ) async throws -> Verdict {
        let pki = try PKI.made()
        let evaluator = RevocationTrustEvaluator(
            options: options,
            policy: try pki.policy,
            crls: try lists.flatMap(pki.lists),
            transport: responder,
            limit: .seconds(20),
            cache: cache
        )
        do {
            try await evaluator.evaluateAsync(try pki.trust(name, isStapled: isStapled), forHost: "localhost")
            return .trusted
        } catch {
            return Verdict(error)
        }
    }

    @Test("a stapled status of revoked refuses; good suffices for the server's certificate")
    func staples() async throws {
        #expect(try await verdict("revoked", .ocsp, isStapled: true) == .revocation)
        #expect(try await verdict("revoked", .crl, isStapled: true) == .revocation)
        #expect(try await verdict("revocable", .ocsp, isStapled: true) == .trusted)
        #expect(try await verdict("valid", .ocsp, isStapled: true) == .trusted)
    }

    @Test("a certificate that requires a staple is refused without one (RFC 7633)")
    func mustStaple() async throws {
        #expect(try await verdict("must-staple", .any) == .revocation)
        #expect(try await verdict("must-staple", .any, isStapled: true) == .trusted)
        let pki = try PKI.made()
        let foreign = ServerTrust(
            chain: try pki.chain("must-staple").map(\.der),
            host: "localhost",
            stapledOCSPResponse: DER(Array(try pki.data("valid.ocsp")))
        )
        let evaluator = RevocationTrustEvaluator(policy: try pki.policy)
        #expect(Verdict.of(evaluator, foreign) == .revocation, "a staple of another certificate is none")
        let late = ServerTrust(
            chain: try pki.chain("must-staple").map(\.der),
            host: "localhost",
            stapledOCSPResponse: DER(Array(try pki.data("must-staple.ocsp"))),
            evaluationDate: Date(timeIntervalSinceNow: 20 * 86_400)
        )
        #expect(Verdict.of(evaluator, late) == .revocation, "a staple that is out of date is none")
    }

    @Test("soft fail accepts an unknown status, hard fail refuses it")
    func softAndHard() async throws {
        #expect(try await verdict("valid", .any) == .trusted)
        #expect(try await verdict("valid", [.any, .requirePositiveResponse]) == .revocation)
        let lists = ["issuing.crl", "root.crl"]
        #expect(try await verdict("valid", [.crl, .requirePositiveResponse], lists: lists) == .trusted)
        #expect(try await verdict("valid", [.crl, .requirePositiveResponse], lists: ["root.crl"]) == .revocation)
        #expect(try await verdict("revoked", .crl, lists: lists) == .revocation)
    }

    @Test("a certificate that is its own anchor needs no status, one with an unknown issuer does")
    func anchored() throws {
        let pki = try PKI.made()
        let anchored = RevocationTrustEvaluator(policy: .trusting([try pki.certificate("revocable")]))
        let alone = ServerTrust(certificates: [try pki.certificate("revocable")], host: "localhost")
        #expect(Verdict.of(anchored, alone) == .trusted)
        let unknown = RevocationTrustEvaluator(performDefaultValidation: false, validateHost: false)
        let error = #expect(throws: AFError.self) { try unknown.evaluate(alone, forHost: "localhost") }
        #expect(Verdict(error) == .revocation)
        #expect(error?.errorDescription?.contains("issued by CN=Security Test Intermediate") == true)
    }

    @Test("an outdated user's CRL refuses, because it may have revoked this certificate")
    func staleList() async throws {
        // It held for a second after the PKI was made; the evaluation is for a day later.
        let pki = try PKI.made()
        let evaluator = RevocationTrustEvaluator(
            options: .crl, policy: try pki.policy, crls: try pki.lists("stale.crl"))
        let trust = ServerTrust(
            chain: try pki.chain("valid").map(\.der),
            host: "localhost",
            evaluationDate: Date(timeIntervalSinceNow: 86_400)
        )
        #expect(Verdict.of(evaluator, trust) == .revocation)
    }

    @Test("a responder is queried over the transport, and its answer cached")
    func responder() async throws {
        let responder = ScriptedTransport.responder(try PKI.made())
        let cache = RevocationCache()
        #expect(try await verdict("revoked", .ocsp, over: responder, cache: cache) == .revocation)
        #expect(responder.requests.count == 1)
        #expect(try await verdict("revocable", .ocsp, over: responder, cache: cache) == .trusted)
        #expect(responder.requests.count == 2)
        #expect(try await verdict("revoked", .ocsp, over: responder, cache: cache) == .revocation)
        #expect(responder.requests.count == 2, "the answer was cached")
        #expect(try await verdict("revoked", [.ocsp, .networkAccessDisabled], over: responder) == .trusted)
        #expect(responder.requests.count == 2, "no query was sent")
    }

    @Test("a CRL is fetched from the certificate's distribution point, and cached")
    func fetchedList() async throws {
        let responder = ScriptedTransport.responder(try PKI.made())
        let cache = RevocationCache()
        #expect(try await verdict("revoked", .crl, over: responder, cache: cache) == .revocation)
        #expect(try await verdict("revocable", .crl, over: responder, cache: cache) == .trusted)
        #expect(responder.requests.count == 1)
        #expect(try await verdict("revoked", [.any, .preferCRL], over: responder) == .revocation)
        #expect(responder.requests.last?.head.authority == "crl.test")
    }

    @Test(
        "an unusable answer counts as none: soft fail accepts, hard fail refuses",
        arguments: [ResponderFault.garbage, .anotherCertificate, .status(500), .tooLong, .broken]
    )
    func faults(fault: ResponderFault) async throws {
        let responder = ScriptedTransport.responder(try PKI.made(), fault: fault)
        #expect(try await verdict("revoked", .ocsp, over: responder) == .trusted)
        #expect(try await verdict("revoked", [.ocsp, .requirePositiveResponse], over: responder) == .revocation)
        #expect(responder.requests.count == 2)
    }

    @Test("an invalid chain is refused before any query")
    func order() async throws {
        let responder = ScriptedTransport.responder(try PKI.made())
        #expect(try await verdict("expired", .any, over: responder) == .chain)
        #expect(try await verdict("wrong-host", .any, over: responder) == .host)
        #expect(responder.requests.count == 0)
    }
}
