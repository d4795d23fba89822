import Foundation
import Testing

@Suite("Comments on cost", .timeLimit(.minutes(2)))
struct CostCommentTests {
    /// Phrases that justify code by its cost.
    private static let claims = [
        #"(?:costs?|takes?|took) (?:about |nearly |almost )?as (?:much|long) as\b"#,
        #"\bcosts? (?:more|less) than\b"#,
        #"\bcheaper than\b"#,
        #"\b(?:is|are|be) (?:cheap|expensive)\b"#,
        #"\bwould copy\b"#,
        #"\bsaves? (?:an?|the) (?:copy|allocation|lock|retain|asynchronous call|comparison|look-?up|wake-up)\b"#,
        #"\b(?:run-time|generic|type) metadata\b"#,
    ]

    /// Returns the comments that make a claim without a figure and without a link to the decision that has it.
    private static func unproven(_ comments: [(place: String, text: String)]) throws -> [(place: String, text: String)]
    {
        let claim = try Regex(claims.joined(separator: "|"))
        return comments.filter { $0.text.contains(claim) && !$0.text.contains(/[0-9]|[Dd]ecision/) }
    }

    /// The comments of a file: adjacent lines are one.
    private static func comments(of source: SwiftSource) -> [(place: String, text: String)] {
        var found: [(place: String, text: String)] = []
        var continues = false
        for line in source.comments.indices {
            let text = source.comments[line].trimmingCharacters(in: CharacterSet(charactersIn: "/ "))
            let isAlone = source.code[line].allSatisfy(\.isWhitespace)
            guard !source.comments[line].allSatisfy(\.isWhitespace) else {
                continues = false
                continue
            }
            if continues, isAlone, let last = found.indices.last {
                found[last].text += " " + text
            } else {
                found.append((source.place(line), text))
            }
            continues = isAlone
        }
        return found
    }

    @Test("a comment that justifies code by its cost has a figure, or names the decision that has it")
    func figures() throws {
        let found = try ["Modules", "Transports"].flatMap { try Repository.swiftFiles(in: $0) }
            .flatMap { Self.comments(of: $0) }
        expectNone(try Self.unproven(found).map { "\($0.place): \($0.text.prefix(100))" })
    }

    @Test(
        "claims are recognized, with and without a figure",
        arguments: [
            ("// A cast costs as much\n// as writing a number.", true),
            ("// A cast takes as long as writing a number:\n// 140 instructions.", false),
            ("// Reading the optional would copy it (decision 107).", false),
            ("// Whether the network is expensive.", true),
            ("// The memory that a message costs.", false),
            ("let costs = \"is cheap\"", false),
        ])
    func recognition(_ text: String, isUnproven: Bool) throws {
        let comments = Self.comments(of: SwiftSource(path: "Example.swift", text: text))
        let unproven = try Self.unproven(comments)
        #expect(unproven.isEmpty != isUnproven)
    }
}
