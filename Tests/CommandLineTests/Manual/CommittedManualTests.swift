import Foundation
import Testing

@Suite("Docs/Manual", .timeLimit(.minutes(1)))
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
}
