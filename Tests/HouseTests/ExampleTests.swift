import Foundation
import Testing

@Suite("Examples", .timeLimit(.minutes(5)))
struct ExampleTests {
    @Test(
        "an example compiles without a warning",
        arguments: [
            "Chat/Sources/chat", "Daemon/Sources/reporter", "Downloader/Sources/download", "LanguageModel/Sources/ask",
        ])
    func compiles(folder: String) async throws {
        let files = try Repository.swiftFiles(in: "Examples/\(folder)").map(\.path)
        try #require(!files.isEmpty)
        try await Self.compile(files, ["-typecheck"])
    }

    @Test("the API client of the tutorial and its tests compile without a warning")
    func client() async throws {
        let output = Repository.scratch.appending(path: "client-example")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let sources = try Repository.swiftFiles(in: "Examples/Client/Sources").map(\.path)
        let tests = try Repository.swiftFiles(in: "Examples/Client/Tests").map(\.path)
        try #require(!sources.isEmpty && !tests.isEmpty)
        let module = output.appending(path: "Users.swiftmodule").path
        try await Self.compile(
            sources, ["-emit-module", "-parse-as-library", "-module-name", "Users", "-emit-module-path", module])
        try await Self.compile(tests, ["-typecheck", "-parse-as-library", "-I", output.path])
    }

    @Test("the tutorial shows the files of Examples/Client")
    func tutorial() throws {
        let text = try Repository.text(of: "Docs/Guides/Tutorial.md")
        for file in try Repository.swiftFiles(in: "Examples/Client") where !file.path.hasSuffix("Package.swift") {
            let path = file.path.dropFirst("Examples/Client/".count)
            let content = try Repository.text(of: file.path)
            #expect(text.contains("```swift \(path)\n\(content)```\n"), "the tutorial shows another text of \(path)")
        }
    }

    @Test("an example has at most 150 lines, a manifest and a README")
    func size() throws {
        let folders = try Set(
            Repository.swiftFiles(in: "Examples").compactMap { $0.path.split(separator: "/").dropFirst().first })
        #expect(folders.count >= 7)
        for folder in folders {
            let example = Repository.root.appending(path: "Examples/\(folder)")
            for file in ["Package.swift", "README.md"] {
                let exists = FileManager.default.fileExists(atPath: example.appending(path: file).path)
                #expect(exists, "Examples/\(folder) has no \(file)")
            }
        }
        let long = try Repository.swiftFiles(in: "Examples").filter { $0.lineCount > 150 }
        expectNone(long.map { "\($0.path) has \($0.lineCount) lines" })
    }

    private static func compile(_ files: [String], _ arguments: [String]) async throws {
        let paths = files.map { Repository.root.appending(path: $0).path }
        let base = ["-swift-version", "6", "-warnings-as-errors"]
        _ = try await Program("swiftc", arguments + base + paths + BuiltModules().searchArguments()).run()
    }
}
