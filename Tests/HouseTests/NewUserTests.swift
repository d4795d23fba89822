import Foundation
import Testing

@Suite("A new user's package", .timeLimit(.minutes(10)))
struct NewUserTests {
    @Test(
        "without traits: resolves swift-http-types alone, runs a thousand tests in seconds, loads no engine's C library"
    )
    func newUser() async throws {
        let arguments =
            ["--package-path", Repository.root.appending(path: "Tests/HouseTests/Fixtures/NewUser").path]
            + ["--scratch-path", Repository.scratch.appending(path: "new-user").path]
        _ = try await Program("swift", ["build", "--build-tests", "--jobs", "2"] + arguments).run()
        let start = ContinuousClock.now
        let report = try await Program("swift", ["test", "--skip-build", "--disable-xctest"] + arguments).run()
        let elapsed = ContinuousClock.now - start
        let count = report.matches(of: /with (\d+) test cases passed/).compactMap { Int($0.output.1) }.reduce(0, +)
        #expect(count == 1_000, "\(count) cases passed")
        #expect(report.contains("UsersClientTests"), "the tests of the tutorial's client did not run: \(report)")
        // It takes two to three seconds on two cores that do nothing else.
        #expect(elapsed < .seconds(60), "they took \(elapsed)")

        let graph = try await Program("swift", ["package"] + arguments + ["show-dependencies", "--format", "json"])
            .run()
        let packages = graph.matches(of: /"identity"\s*:\s*"([^"]+)"/).map { String($0.output.1) }
        #expect(Set(packages).filter { $0.hasPrefix("swift-") } == ["swift-http-types"], "\(packages)")

        let folder = try await Program("swift", ["build", "--show-bin-path"] + arguments).run()
        let bundle = URL(filePath: folder.trimmingCharacters(in: .whitespacesAndNewlines))
            .appending(path: "shopPackageTests.xctest").path
        let dynamic = try await Program("readelf", ["--dynamic", "--wide", bundle]).run()
        let needed = dynamic.matches(of: /\(NEEDED\)\s+Shared library: \[([^\]]+)\]/).map { String($0.output.1) }
        try #require(!needed.isEmpty)
        let forbidden = ["libcurl", "libssl", "libcrypto", "libnghttp2", "libFoundationNetworking"]
        expectNone(needed.filter { name in forbidden.contains { name.hasPrefix($0) } })
    }
}
