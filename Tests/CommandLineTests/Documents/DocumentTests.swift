import AirframeCommandLine
import Foundation
import Testing

@Suite("Docs/CommandLine.md", .timeLimit(.minutes(1)))
struct DocumentTests {
    private static func document() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Docs/CommandLine.md"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("the keystrokes of each task are those of its commands")
    func keystrokes() throws {
        let lines = try Self.document()
        let rows = lines.compactMap { line -> [Int?]? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 6, Int(cells[0]) != nil else { return nil }
            return cells.dropFirst(2).map { Int($0) }
        }
        #expect(rows.count == 20)
        for (index, row) in rows.enumerated() {
            let start = try #require(lines.firstIndex { $0.hasPrefix("**\(index + 1). ") })
            let commands = lines[(start + 1)...].drop { !$0.hasPrefix("    ") }.prefix {
                $0.isEmpty || $0.hasPrefix("    ")
            }
            .filter { !$0.isEmpty }.map { $0.dropFirst(4).count }
            #expect(row.compactMap { $0 } == commands, "task \(index + 1)")
        }
    }

    @Test("the Swift code is the output of from-curl for its command")
    func code() throws {
        let lines = try Self.document()
        let command = try #require(lines.first { $0.hasPrefix("    airframe from-curl --swift \"") })
        let words = try ShellWords.split(command.trimmingCharacters(in: .whitespaces))
        let start = try #require(lines.firstIndex(of: "```swift"))
        let end = try #require(lines[start...].firstIndex(of: "```"))
        let code = lines[(start + 1)..<end].joined(separator: "\n") + "\n"
        #expect(SwiftProgram(try CurlCommand(try #require(words.last))).text == code)
    }
}
