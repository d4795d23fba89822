import Foundation
import Testing

@Suite("Examples/Sharing", .timeLimit(.minutes(5)))
struct SharingExampleTests {
    @Test("its targets compile to objects over Airframe, and only the wrapper names a client")
    func compiles() async throws {
        let sources = Repository.root.appending(path: "Examples/Sharing/Sources")
        let output = Repository.scratch.appending(path: "sharing-example")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let search = try BuiltModules().searchArguments() + ["-I", output.path]
        let base = ["-swift-version", "6", "-warnings-as-errors", "-parse-as-library"]
        for target in ["HTTPClient", "People"] {
            let files = try Self.files(of: target, in: sources)
            let module = output.appending(path: "\(target).swiftmodule").path
            // Objects too: for a module alone the compiler skips the bodies of functions.
            let library = output.appending(path: "lib\(target).a").path
            _ = try await Program(
                "swiftc",
                ["-emit-module", "-module-name", target, "-emit-module-path", module]
                    + ["-emit-library", "-static", "-o", library] + base + files + search
            ).run()
        }
        let main = try Self.files(of: "list-people", in: sources)
        let object = output.appending(path: "list-people.o").path
        _ = try await Program(
            "swiftc",
            ["-emit-object", "-o", object, "-module-name", "list_people", "-swift-version", "6", "-warnings-as-errors"]
                + main + search
        ).run()
        for file in try Self.files(of: "People", in: sources) + main {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("import Airframe") && !text.contains("import Alamofire"))
        }
    }

    @Test("its manifest names the wrapper's products, and every target's folder exists")
    func manifest() async throws {
        let folder = Repository.root.appending(path: "Examples/Sharing")
        let json = try await Program(
            "swift",
            ["package", "dump-package", "--package-path", folder.path]
                + ["--scratch-path", Repository.scratch.appending(path: "sharing-manifest").path]
        ).run()
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(json.utf8))
        #expect(manifest.targets.map(\.name) == ["HTTPClient", "People", "list-people"])
        #expect(manifest.targets.first?.dependencyNames == ["Airframe", "AirframeAppleNames"])
        for target in manifest.targets {
            #expect(try !Self.files(of: target.name, in: folder.appending(path: "Sources")).isEmpty)
        }
    }

    private static func files(of target: String, in sources: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sources.appending(path: target).path)
            .filter { $0.hasSuffix(".swift") }.sorted().map { sources.appending(path: "\(target)/\($0)").path }
    }
}
