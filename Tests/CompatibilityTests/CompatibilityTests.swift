import AirframeTestSupport
import Foundation
import Testing

/// The promises of Docs/Compatibility.md. The files in Uses use each symbol of the table as it is declared, so that
/// this target does not build if a symbol changes.
@Suite("Compatibility with Alamofire", .timeLimit(.minutes(3)))
struct CompatibilityTests {
    @Test("the table lists the built symbols, and has a line for each symbol of Alamofire")
    func table() async throws {
        let modules = URL(fileURLWithPath: Command.built("airframe-reachability", []).path)
            .deletingLastPathComponent().appendingPathComponent("Modules")
        let outcome = try await Command([
            "python3", Self.root + "/Tools/compatibility/generate.py", modules.path, "--check",
        ])
        .run()
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test("each adapted or omitted symbol has a reason")
    func remarks() throws {
        let table = try String(contentsOfFile: Self.root + "/Docs/Compatibility.md", encoding: .utf8)
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 1_300)
        for row in rows {
            // A vertical bar in a cell is escaped.
            let cells = row.replacing("\\|", with: "").split(separator: "|").map { $0.trimming(while: \.isWhitespace) }
            #expect(cells.count >= 2)
            let status = cells.dropFirst().first
            #expect(status == "same" || (["adapted", "left out"].contains(status) && cells.count == 3), "\(row)")
        }
    }

    @Test("a function that a subclass cannot override is not the same as Alamofire's open one")
    func access() throws {
        let table = try String(contentsOfFile: Self.root + "/Docs/Compatibility.md", encoding: .utf8)
        let rows = table.split(separator: "\n")
        for function in ["request", "streamRequest", "download", "upload", "webSocketRequest"] {
            let found = rows.filter { $0.hasPrefix("| `Session.\(function)(") }
            #expect(!found.isEmpty)
            for row in found { #expect(row.contains("| adapted |") && row.contains("cannot override it"), "\(row)") }
        }
    }

    @Test("each difference of behaviour has its reason")
    func behaviours() throws {
        let table = try String(contentsOfFile: Self.root + "/Docs/Compatibility.md", encoding: .utf8)
        let lines = table.split(separator: "\n").drop { $0 != "# Behaviour" }.dropFirst().prefix { !$0.hasPrefix("# ") }
        let rows = lines.filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count > 10)
        for row in rows {
            let cells = row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            #expect(cells.count == 4 && cells.allSatisfy { $0.contains { !$0.isWhitespace } }, "\(row)")
        }
    }

    private static let root: String = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}

extension Substring {
    fileprivate func trimming(while belongs: (Character) -> Bool) -> String {
        String(drop(while: belongs).reversed().drop(while: belongs).reversed())
    }
}
