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

    @Test("the API client of the tutorial, its tests and its program compile without a warning")
    func client() async throws {
        let output = Repository.scratch.appending(path: "client-example")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let files = { (folder: String) in try Repository.swiftFiles(in: "Examples/Client/\(folder)").map(\.path) }
        let (sources, program, tests) = try (files("Sources/Users"), files("Sources/show"), files("Tests"))
        try #require(!sources.isEmpty && !program.isEmpty && !tests.isEmpty)
        let module = output.appending(path: "Users.swiftmodule").path
        try await Self.compile(
            sources, ["-emit-module", "-parse-as-library", "-module-name", "Users", "-emit-module-path", module])
        try await Self.compile(program, ["-typecheck", "-I", output.path])
        try await Self.compile(tests, ["-typecheck", "-parse-as-library", "-I", output.path])
    }

    @Test("the steps of the tutorial make the files of Examples/Client")
    func tutorial() throws {
        let made = try Self.filesOfTutorial()
        for file in try Repository.swiftFiles(in: "Examples/Client") where !file.path.hasSuffix("Package.swift") {
            let path = String(file.path.dropFirst("Examples/Client/".count))
            let content = try Repository.text(of: file.path)
            #expect(made[path] == content, "the tutorial makes another text of \(path)")
        }
        let manifest = try Repository.text(of: "Examples/Client/Package.swift")
        let lines = try #require(made["Package.swift"]).split(separator: "\n").filter { !$0.contains("airframe\")],") }
        expectNone(lines.filter { !manifest.contains($0) }.map { "Examples/Client/Package.swift has no line \($0)" })
    }

    /// The files that the tutorial's blocks write, and add to before the last brace of a file or after a line.
    private static func filesOfTutorial() throws -> [String: String] {
        var files: [String: String] = [:]
        let tutorial = try Repository.text(of: "Docs/Guides/Tutorial.md")
        for block in tutorial.matches(of: /(?s)```swift (\S+)(?: \((\w+) ?(\w*)\))?\n(.*?)```\n/) {
            let (path, text) = (String(block.output.1), String(block.output.4))
            switch (block.output.2, files[path]) {
            case (nil, nil): files[path] = text
            case ("add", let content?) where content.hasSuffix("}\n"): files[path] = content.dropLast(2) + text + "}\n"
            case ("after", let content?):
                let line = "    \(block.output.3 ?? ""): [\n"
                files[path] = content.replacing(line, with: line + text)
            default: Issue.record("the tutorial adds to \(path) before it writes it, or writes it twice")
            }
        }
        return files
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
