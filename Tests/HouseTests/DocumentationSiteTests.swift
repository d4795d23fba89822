import Foundation
import Testing

@Suite("The documentation site", .timeLimit(.minutes(10)))
struct DocumentationSiteTests {
    /// Chromium is a peer: where it is missing, continuous integration fails.
    private static let hasBrowser =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium") || Environment.isContinuousIntegration

    @Test("is built without a warning, has no broken link, and Chromium shows it", .enabled(if: hasBrowser))
    func site() async throws {
        let modules = try BuiltModules().folder.path
        _ = try await Self.tool("build.py", [modules])
        let report = try await Self.tool("browser.py", [])
        #expect(report.contains("pages show their content"))
    }

    /// Runs one of the scripts in Tools/documentation from the root of the repository.
    private static func tool(_ name: String, _ arguments: [String]) async throws -> String {
        let words = ["-C", Repository.root.path, "python3", "Tools/documentation/\(name)"]
        return try await Program("env", words + arguments).run()
    }

    @Test("every documented module has a catalogue, and every module that users import is documented")
    func catalogues() throws {
        let index = try Repository.text(of: ".spi.yml")
        let documented = Set(index.matches(of: /- (Airframe\w*)/).map { String($0.output.1) })
        let products = Set(House.modules.filter { !$0.isInternal }.map(\.name))
        #expect(documented == products, "\(documented.symmetricDifference(products).sorted())")
        let missing = House.modules.filter { documented.contains($0.name) }.filter { module in
            let page = "\(module.folder)/\(module.name).docc/\(module.name).md"
            return !FileManager.default.fileExists(atPath: Repository.root.appending(path: page).path)
        }
        expectNone(missing.map { "\($0.name) has no catalogue in \($0.folder)" })
    }

    @Test("a committed picture has at most 200 KiB")
    func pictures() throws {
        let keys: Set<URLResourceKey> = [.fileSizeKey]
        let large = try Repository.files(in: "Docs/Images") { _ in true }
            .filter { try $0.resourceValues(forKeys: keys).fileSize ?? 0 > 200 << 10 }
        expectNone(large.map { "\(Repository.path(of: $0)) is larger than 200 KiB" })
    }
}

/// The environment of the tests.
private enum Environment {
    static let isContinuousIntegration = ProcessInfo.processInfo.environment["CI"] == "true"
}
