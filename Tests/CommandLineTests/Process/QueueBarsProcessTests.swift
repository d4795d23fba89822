import Foundation
import Testing

@Suite("The bars of airframe queue", .timeLimit(.minutes(2)))
struct QueueBarsProcessTests {
    private static let content = Data(repeating: 0x61, count: 2_000_000)

    /// A queue of two slow downloads.
    private func queue(_ folder: Program.Folder, _ server: RangeAnswers) async throws -> String {
        let queue = folder.path("queue.db")
        for name in ["a", "b\u{1B}[31m"] {
            let added = try await Program.run(["queue", "add", queue, server.url, "-o", folder.path(name)])
            try #require(added.status == 0, "\(added.errors)")
        }
        return queue
    }

    @Test("on a terminal each drawing replaces the one before: a bar for all transfers, and one for each that runs")
    func drawing() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, rate: 1 << 20)
        let outcome = try await Program.terminal(["queue", "run", try await queue(folder, server)])
        #expect(outcome.status == 0, "\(outcome.output)")
        let frames = Screen.frames(outcome.output)
        #expect(frames.count >= 3, "\(outcome.output)")
        let running = try #require(frames.first { $0.count == 3 }, "\(frames)")
        #expect(running[0].hasPrefix("[") && running[0].contains("0/2") && running[0].contains("/s"), "\(running)")
        #expect(running[1].contains(" 1  ") && running[1].hasSuffix("  a"), "\(running)")
        #expect(!running[2].contains("\u{1B}"), "a file's name cannot control the terminal")
        let last = try #require(frames.last)
        #expect(last.count == 1 && last[0].contains("2/2") && last[0].hasPrefix("[####################]"), "\(last)")
        // The bars stay in their place: whatever was drawn before is overwritten.
        #expect(Screen.visible(outcome.output).filter { $0.hasPrefix("[") }.count == 1)
    }

    @Test("a run ends while a transfer is paused")
    func paused() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content)
        let queue = try await queue(folder, server)
        try #require(try await Program.run(["queue", "pause", queue, "2"]).status == 0)
        let outcome = try await Program.terminal(["queue", "run", queue])
        #expect(outcome.status == 0, "\(outcome.output)")
        let last = try #require(Screen.frames(outcome.output).last)
        #expect(last.count == 1 && last[0].contains("1/2"), "\(last)")
    }

    @Test("an interrupt from the keyboard leaves the transfers waiting, with status 130")
    func interrupted() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, rate: 200 << 10)
        let queue = try await queue(folder, server)
        let outcome = try await Program.terminal(["queue", "run", queue], keys: "^C")
        #expect(outcome.status == 130, "\(outcome.output)")
        let listed = try await Program.run(["queue", "ls", queue])
        #expect(listed.output.split(separator: "\n").allSatisfy { $0.contains("\twaiting\t") }, "\(listed.output)")
    }

    @Test("--quiet draws nothing on a terminal; a pipe gets nothing without it")
    func quiet() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content)
        let queue = try await queue(folder, server)
        #expect(try await Program.terminal(["queue", "run", "--quiet", queue]).output.isEmpty)
        let pipe = try await Program.run(["queue", "run", queue])
        #expect(pipe.output.isEmpty && pipe.errors.isEmpty)
    }
}

/// The text on a terminal, for the few sequences that the bars use.
private enum Screen {
    /// The drawings, each as its lines.
    static func frames(_ output: String) -> [[String]] {
        output.components(separatedBy: "\u{1B}[J").dropLast().map { frame in
            frame.components(separatedBy: "\u{1B}[2K").dropFirst().map { line in
                String(line.prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })
            }
        }
    }

    /// The lines of the screen in the end.
    static func visible(_ output: String) -> [String] {
        var lines = [""]
        var row = 0
        var rest = output[...]
        while let character = rest.first {
            if let up = rest.prefixMatch(of: /\u{1B}\[([0-9]+)A/) {
                row = max(0, row - (Int(up.1) ?? 0))
                rest = rest[up.range.upperBound...]
            } else if rest.hasPrefix("\u{1B}[2K") {
                lines[row] = ""
                rest = rest.dropFirst(4)
            } else if rest.hasPrefix("\u{1B}[J") {
                lines.removeLast(lines.count - row - 1)
                lines[row] = ""
                rest = rest.dropFirst(3)
            } else {
                rest = rest.dropFirst()
                if character == "\n" || character == "\r\n" {
                    row += 1
                    if row == lines.count { lines.append("") }
                } else if character != "\r" {
                    lines[row].append(character)
                }
            }
        }
        return lines
    }
}
