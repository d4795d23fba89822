import Foundation
import Testing

@Suite("The code in the documents", .timeLimit(.minutes(5)))
struct SampleTests {
    @Test("a sample compiles", arguments: try Sample.all())
    func compiles(sample: Sample) async throws {
        let built = try BuiltModules()
        let folder = Repository.scratch.appending(path: "samples/\(sample.identifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "main.swift")
        try sample.code.write(to: file, atomically: true, encoding: .utf8)
        let arguments = ["-typecheck", "-swift-version", "6", "-warnings-as-errors", file.path]
        _ = try await Program("swiftc", arguments + built.searchArguments()).run()
    }
}

/// A block of Swift in a document: the lines between "```swift" and "```".
struct Sample: Sendable, CustomTestStringConvertible {
    let document: String
    /// The line of the block's first line of code.
    let line: Int
    let code: String

    var testDescription: String { "\(document):\(line)" }
    var identifier: String { testDescription.replacing(/[^A-Za-z0-9]/, with: "-") }

    /// The blocks of all documents that users and contributors read.
    static func all() throws -> [Sample] {
        let ofFolders = try ["Docs", "Modules", "Transports", "Examples"].flatMap { folder in
            try Repository.files(in: folder) { $0.pathExtension == "md" }
        }
        let atRoot = ["README.md", "CONTRIBUTING.md"].map { Repository.root.appending(path: $0) }
        return try (atRoot + ofFolders).flatMap(blocks)
    }

    private static func blocks(of document: URL) throws -> [Sample] {
        let text = try String(contentsOf: document, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var samples: [Sample] = []
        var start: Int?
        for (index, line) in lines.enumerated() {
            if let first = start, line.hasPrefix("```") {
                let code = lines[first..<index].joined(separator: "\n")
                samples.append(Sample(document: Repository.path(of: document), line: first + 1, code: code))
                start = nil
            } else if line == "```swift" || line == "```swift hello/Sources/hello/main.swift" {
                start = index + 1
            }
        }
        return samples
    }
}
