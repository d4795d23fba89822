import Foundation
import Testing

@Suite("Examples/Sharing", .timeLimit(.minutes(5)))
struct SharingExampleTests {
    @Test("its targets compile over Airframe, and only the wrapper names a client")
    func compiles() async throws {
        let sources = Repository.root.appending(path: "Examples/Sharing/Sources")
        let output = Repository.scratch.appending(path: "sharing-example")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let search = try BuiltModules().searchArguments() + ["-I", output.path]
        let base = ["-swift-version", "6", "-warnings-as-errors", "-parse-as-library"]
        for target in ["HTTPClient", "People"] {
            let files = try Self.files(of: target, in: sources)
            let module = output.appending(path: "\(target).swiftmodule").path
            _ = try await Program(
                "swiftc",
                ["-emit-module", "-module-name", target, "-emit-module-path", module] + base + files + search
            ).run()
        }
        let main = try Self.files(of: "people", in: sources)
        _ = try await Program("swiftc", ["-typecheck", "-swift-version", "6", "-warnings-as-errors"] + main + search)
            .run()
        for file in try Self.files(of: "People", in: sources) + main {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("import Airframe") && !text.contains("import Alamofire"))
        }
    }

    private static func files(of target: String, in sources: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sources.appending(path: target).path)
            .filter { $0.hasSuffix(".swift") }.sorted().map { sources.appending(path: "\(target)/\($0)").path }
    }
}
