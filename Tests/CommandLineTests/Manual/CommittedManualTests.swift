import AirframeCommandLine
import Foundation
import Testing

@Suite("Docs/Manual", .timeLimit(.minutes(3)))
struct CommittedManualTests {
    @Test("the committed pages are those that `airframe manual` writes; `make manual` renews them")
    func pages() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let committed = root.appending(path: "Docs/Manual")
        let folder = try Program.Folder()
        _ = try await Program.run(["manual", "--output", folder.path("pages")])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("pages")).sorted()
        #expect(try FileManager.default.contentsOfDirectory(atPath: committed.path).sorted() == names)
        for name in names {
            let text = try String(contentsOf: committed.appending(path: name), encoding: .utf8)
            #expect(try folder.text("pages/\(name)") == text, "\(name) differs")
        }
    }

    /// The values of the options that need one.
    private static let values = [
        "auth": "digest", "aws-sigv4": "r:s", "bearer": "t", "cookie": "a=b", "data": "a", "data-raw": "a",
        "output": "f", "pretty": "all", "retry-status": "500", "upload-file": "FILE", "user": "a:b",
    ]

    @Test(
        "a command refuses the options that its page leaves out",
        arguments: ManualPage.refusedOptions.keys.sorted())
    func refusedOptions(page: String) async throws {
        let folder = try Program.Folder()
        let file = try folder.write("{}", "file")
        let command = page.split(separator: "-").dropFirst().map(String.init)
        let url = "http://127.0.0.1:1/f"
        let operands = [
            "airframe-har-replay": [file], "airframe-trust": ["localhost:1"], "airframe-upload": [file, url],
        ]
        let text = try await Program.run(["manual"] + command).output
        let headings = text.split(separator: "\n").filter { $0.hasPrefix(".B ") }
        let names = Set(headings.flatMap { $0.split { " ,".contains($0) } })
        for option in try #require(ManualPage.refusedOptions[page]).sorted() {
            let escaped = "--\(option)".replacing("-", with: "\\-")
            #expect(!names.contains(Substring(escaped)), "\(page) lists --\(option)")
            let value = Self.values[option].map { [$0 == "FILE" ? file : $0] } ?? []
            let outcome = try await Program.run(
                command + ["--\(option)"] + value + (operands[page] ?? [url]), input: "")
            #expect(outcome.status == 64, "\(command) --\(option): \(outcome)")
        }
    }
}
