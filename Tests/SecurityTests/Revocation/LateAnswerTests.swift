import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// Answers of a responder that are accepted although their validity has ended, so that no cache keeps them.
@Suite("Answers of OCSP responders that have just expired", .timeLimit(.minutes(5)))
struct LateAnswerTests {
    private static func single(_ status: OCSPForge.Status, endedBefore seconds: Double) -> OCSPForge.Single {
        OCSPForge.Single(
            status: status,
            thisUpdate: Date(timeIntervalSinceNow: -seconds - 3600),
            nextUpdate: Date(timeIntervalSinceNow: -seconds)
        )
    }

    private func verdict(_ singles: [OCSPForge.Single], _ options: RevocationOptions) async throws -> Verdict {
        let pki = try PKI.made()
        var forge = OCSPForge(pki)
        forge.certificate = "revocable"
        forge.singles = singles
        let response = Data(try forge.response().bytes)
        let responder = ScriptedTransport(engine: "OCSP") { request throws(TransportError) in
            TransportResponse(
                head: HTTPResponse(status: .ok), body: ResponseBody(response), request: request.head)
        }
        let evaluator = RevocationTrustEvaluator(
            options: options,
            policy: try pki.policy,
            // For the intermediate, which names no responder.
            crls: try pki.lists("root.crl"),
            transport: responder,
            limit: .seconds(20)
        )
        do {
            try await evaluator.evaluateAsync(try pki.trust("revocable"), forHost: "localhost")
            return .trusted
        } catch {
            return Verdict(error)
        }
    }

    @Test("\"revoked\" refuses within the tolerance for clocks", arguments: [RevocationOptions.ocsp, .any])
    func revoked(options: RevocationOptions) async throws {
        #expect(try await verdict([Self.single(.revoked, endedBefore: 60)], options) == .revocation)
    }

    @Test("\"good\" suffices for hard fail within the tolerance for clocks, and not after it")
    func good() async throws {
        let hard: RevocationOptions = [.ocsp, .requirePositiveResponse]
        #expect(try await verdict([Self.single(.good, endedBefore: 60)], hard) == .trusted)
        #expect(try await verdict([Self.single(.good, endedBefore: 900)], hard) == .revocation)
    }

    @Test("\"revoked\" beside another answer refuses, however old it is")
    func several() async throws {
        let singles = [Self.single(.good, endedBefore: 86_400), Self.single(.revoked, endedBefore: 86_400)]
        #expect(try await verdict(singles, .ocsp) == .revocation)
    }
}
