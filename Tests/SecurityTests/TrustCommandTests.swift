import AirframeSecurity
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "airframe trust",
    .enabled(if: LiveServers.areExpected, "nginx is not installed"),
    .serialized,
    .timeLimit(.minutes(5))
)
struct TrustCommandTests {
    private func run(_ arguments: [String], _ name: String) async throws -> Command.RunResult {
        let port = try LiveServers.running().port(name)
        return try await Command.built("airframe", ["trust"] + arguments + ["localhost:\(port)"]).run()
    }

    @Test("shows the chain and the pins of a trusted server, and exits with 0")
    func trusted() async throws {
        let pki = try PKI.made()
        let outcome = try await run(["--cacert", pki.path("root.pem")], "valid")
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("is trusted"))
        #expect(outcome.output.contains("CN=Security Test Root"))
        #expect(outcome.output.contains(try pki.certificate("valid").publicKey.pin))
    }

    @Test("reports why a server is refused, and exits with 2", arguments: ["expired", "untrusted", "wrong-host"])
    func refused(name: String) async throws {
        let pki = try PKI.made()
        let before = try LiveServers.running().requests(name).count
        let outcome = try await run(["--cacert", pki.path("root.pem"), "--json"], name)
        #expect(outcome.status == 2, "\(outcome.output)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["isTrusted"] as? Bool == false)
        #expect((object?["findings"] as? [String])?.isEmpty == false)
        #expect(try LiveServers.running().requests(name).count == before, "no request is sent")
    }

    @Test("checks a server's pins")
    func pins() async throws {
        let pki = try PKI.made()
        let own = try pki.certificate("valid").publicKey.pin
        let other = try pki.certificate("client").publicKey.pin
        let roots = ["--cacert", pki.path("root.pem")]
        #expect(try await run(roots + ["--pin", other, "--pin", own], "valid").status == 0)
        #expect(try await run(roots + ["--pin", other], "valid").status == 2)
    }

    @Test("fetches issuers on request, and reports that")
    func issuers() async throws {
        let roots = ["--cacert", try PKI.made().path("root.pem")]
        let outcome = try await run(roots + ["--fetch-issuers"], "valid")
        #expect(
            outcome.status == 0 && outcome.output.contains("default, with issuers fetched: trusted"),
            "\(outcome.output)")
        // Its issuer is at a host that is nowhere.
        let name = "incomplete-intermediate.der"
        #expect(try await run(roots + ["--fetch-issuers", "--max-time", "60"], name).status == 2)
        #expect(try await run(roots, name).status == 2)
    }

    @Test("exits with 7 if no server answers")
    func nobody() async throws {
        let port = try #require(try FreePorts(1).numbers.first)
        let outcome = try await Command.built("airframe", ["trust", "127.0.0.1:\(port)"]).run()
        #expect(outcome.status == 7)
    }
}
