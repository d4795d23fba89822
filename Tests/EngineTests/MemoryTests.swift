import AirframeTestSupport
import Foundation
import Testing

@Suite("Requests of every kind under valgrind", .timeLimit(.minutes(4)))
struct MemoryTests {
    @Test(
        "each kind of request after each other kind on one transport, without an invalid read or write",
        arguments: TestedEngine.allCases
    )
    func kinds(_ engine: TestedEngine) async throws {
        try #require(isInstalled, "valgrind is not installed: run Tools/scripts/setup-peers")
        let folder = FileManager.default.temporaryDirectory.appending(path: "valgrind-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let probe = try await stripped(Command.built("engine-probe", []).path, into: folder)
        let valgrind = Command(
            ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=no", "--undef-value-errors=no", probe]
                + ["kinds", engine.rawValue]
        )
        let outcome = try await valgrind.run(environment: ["LD_LIBRARY_PATH": folder])
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains(" kinds in "), "\(outcome.output)")
    }

    /// Copies a program and Swift's libraries without their debug information, which valgrind 3.19 cannot read.
    private func stripped(_ program: String, into folder: String) async throws -> String {
        let libraries = try await Command(["ldd", program]).run().output.split(separator: "\n")
            .compactMap { $0.split(separator: " ").first { $0.hasPrefix("/") && $0.contains("/swift/") } }
        for path in [program] + libraries.map(String.init) {
            let copy = "\(folder)/\(URL(filePath: path).lastPathComponent)"
            let outcome = try await Command(["strip", "-g", "-o", copy, path]).run()
            try #require(outcome.status == 0, "\(outcome.output)")
        }
        return "\(folder)/\(URL(filePath: program).lastPathComponent)"
    }

    private var isInstalled: Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/valgrind") }
    }
}
