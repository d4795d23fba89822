import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("Memory of evaluations", .timeLimit(.minutes(10)))
struct MemoryTests {
    @Test("thousands of evaluations of good and bad chains do not leak")
    func growth() async throws {
        let outcome = try await Command.built("trust-probe", [try PKI.made().folder, "20"]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        func number(_ word: String) throws -> Int {
            let line = outcome.output.split(separator: "\n").first { $0.hasPrefix(word) }
            return try #require(line?.split(separator: " ").last.flatMap { Int($0) }, "\(outcome.output)")
        }
        // A certificate that is parsed and not freed takes 5 KiB, and a round parses more than a hundred.
        #expect(try number("late") - number("early") < 16 * 1024, "\(outcome.output)")
        #expect(outcome.output.contains("trusted "))
    }

    @Test("a file of roots is read once, and again after a change")
    func stores() throws {
        let pki = try PKI.made()
        let path = FileManager.default.temporaryDirectory.appending(path: "roots-\(UUID().uuidString).pem").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try pki.data("root.pem").write(to: URL(filePath: path))
        let first = try RootStores.shared.store(for: .pemFile(path: path))
        #expect(try RootStores.shared.store(for: .pemFile(path: path)) === first)
        let policy = ChainPolicy(roots: .pemFile(path: path))
        #expect(Verdict.of(DefaultTrustEvaluator(policy: policy), try pki.trust("valid")) == .trusted)
        try pki.data("other-root.pem").write(to: URL(filePath: path))
        #expect(try RootStores.shared.store(for: .pemFile(path: path)) !== first)
        #expect(Verdict.of(DefaultTrustEvaluator(policy: policy), try pki.trust("valid")) == .chain)
        let certificates = TrustRoots.certificates([try pki.certificate("root").der])
        #expect(try RootStores.shared.store(for: certificates) === RootStores.shared.store(for: certificates))
        #expect(try RootStores.shared.store(for: .system) === RootStores.shared.store(for: .system))
    }
}
