import Foundation
import Testing

@Suite("The language of comments and documents", .timeLimit(.minutes(2)))
struct LanguageTests {
    /// A phrase that plain technical English does without, and what to write in its place.
    struct Phrase: Sendable, CustomTestStringConvertible {
        let pattern: String
        let instead: String

        var testDescription: String { pattern }
    }

    /// Words with which "at once" means immediately. Elsewhere it may mean concurrently: "64 requests at once".
    private static let endings = """
        answers?|cancelled|closed|delivered|ends?|fails?|leaves?|released|rejected|reported|resumed|returns?|sent|starts?
        """
    private static let callees = "evaluations?|evaluators?|handlers?|kernel|layers?|retriers?"

    static let phrases = [
        Phrase(pattern: #"\b(?i:who(?:so)?ever)\b"#, instead: "the noun: the caller, the reader, the next request"),
        Phrase(pattern: #"\b(?i:those|one|ones) who\b"#, instead: "the noun: callers, readers, users"),
        Phrase(pattern: #"(?:^|[.;:] )Who [^?]*$"#, instead: "the noun: the caller, the waiter"),
        Phrase(pattern: #"\b(?i:what others)\b"#, instead: "the noun: events from other tasks"),
        Phrase(
            pattern: #"\b(?i:(?:ha[sd]|have|leaves?) (?:the |its |their )?word)\b"#, instead: "decide, record, notify"),
        Phrase(pattern: #"\b(?i:comes?|came|coming) to (?:its|their) end\b"#, instead: "end, finish"),
        Phrase(pattern: #"\b(?i:to be had|is had|are had)\b"#, instead: "available, can be recovered"),
        Phrase(pattern: #"\b(?i:is|are|was|were) no more[.,;]"#, instead: "is closed, has ended"),
        Phrase(pattern: #"\b(?i:must not pass for)\b"#, instead: "must not be mistaken for"),
        Phrase(pattern: #"\b(?i:ha[sd]|have) (?:its|their|a) say\b"#, instead: "decide, report"),
        Phrase(pattern: #"\b(?i:the dead ones?|bury the dead)\b"#, instead: "closed connections"),
        Phrase(pattern: #"\b(?i:tell|tells|told) of (?:its|their|an?) own\b"#, instead: "report"),
        Phrase(pattern: #"\b(?i:asks? for its word)\b"#, instead: "ask, wait for the decision"),
        Phrase(pattern: #"\b(?i:by prior knowledge)\b"#, instead: "with prior knowledge (RFC 9113 §3.3)"),
        Phrase(pattern: #"\b(?i:changes? of (?:threads?|executors?))\b"#, instead: "thread switch, executor switch"),
        // Not within the name of a file, such as that of decision 42.
        Phrase(
            pattern: #"(?:^|[ (“])(?i:judg(?:es|ed|ing|e?ments?))\b"#,
            instead: "verify a chain, evaluate trust, decide, check"),
        Phrase(pattern: #"\bunix sockets?\b"#, instead: "Unix domain socket, Unix socket"),
        Phrase(pattern: #"\b(?i:for ever)\b"#, instead: "forever"),
        Phrase(pattern: #"\b(?i:blanks|a blank(?! line))\b"#, instead: "a space, whitespace (RFC 9110 §5.6.3)"),
        Phrase(pattern: #"\b(?i:(?:\#(endings)) at once)\b"#, instead: "immediately"),
        Phrase(
            pattern: #"[0-9] (?:bytes|calls|instructions|requests|retains) an? (?:exchange|request|second)\b"#,
            instead: "per exchange, per request, per second"),
        Phrase(pattern: #"^Makes an? "#, instead: "Creates a"),
        Phrase(pattern: #"\b(?i:a text)\b(?! (?:body|message))"#, instead: "a string, a text message, text"),
        Phrase(pattern: #"\b(?i:(?:\#(callees)) (?:is|are|was|were|be) asked)\b"#, instead: "is called, is queried"),
        Phrase(pattern: #"^- \w+: Where to\b"#, instead: "the noun: the queue on which, the URL of"),
    ]

    @Test("a phrase that reads as translated is not used", arguments: phrases)
    func phrase(_ phrase: Phrase) throws {
        let pattern = try Regex(phrase.pattern)
        let found = try Prose.all.get().filter { $0.text.contains(pattern) }
        expectNone(found.map { "\($0.place): \($0.text.prefix(100)) → \(phrase.instead)" })
    }

    @Test("names that the glossary replaced are not used")
    func names() throws {
        let names = ["securities", "noteDisappointment", "holdOut", "buryTheDead", "SecureEnd", "Courtesy"]
        let pattern = try Regex(#"\b(?:\#(names.joined(separator: "|")))\b"#)
        let found = try ["Modules", "Transports", "Tools", "Tests"].flatMap { try Repository.swiftFiles(in: $0) }
            .flatMap { source in
                source.code.indices.filter { line in
                    names.contains { source.code[line].contains($0) } && source.code[line].contains(pattern)
                }.map { "\(source.place($0)): \(source.code[$0].trimmingCharacters(in: .whitespaces))" }
            }
        expectNone(found)
    }

    @Test("no prose and no comment has a line above 120 columns; `make format` fills them")
    func lineLength() async throws {
        let root = Repository.root.path
        let script = "\(root)/Tools/documentation/wrap.py"
        let markdown = try Repository.markdown().filter { Repository.path(of: $0) != "Docs/Compatibility.md" }.map(
            \.path)
        let swift = try ["Modules", "Transports", "Tests", "Tools", "Examples"].flatMap {
            try Repository.swiftFiles(in: $0).filter { !$0.isGenerated }.map { "\(root)/\($0.path)" }
        }
        _ = try await Program("python3", [script, "--check"] + markdown + swift).run()
    }
}

/// A line that a person reads: of a document, or of a comment.
struct Prose: Sendable {
    /// `path:line`.
    let place: String
    let text: String

    /// All lines of documents and comments, read once for all tests.
    static let all = Result {
        let documents = try Repository.markdown().flatMap { file in
            try lines(of: file)
        }
        let sources = try ["Modules", "Transports", "Tests", "Tools", "Examples"].flatMap {
            try Repository.swiftFiles(in: $0).filter { !$0.isGenerated }
        }
        let comments = sources.flatMap { source in
            source.comments.indices.compactMap { line -> Prose? in
                let text = source.comments[line].trimmingCharacters(in: CharacterSet(charactersIn: "/ "))
                return text.isEmpty ? nil : Prose(place: source.place(line), text: text)
            }
        }
        return documents + comments
    }

    private static func lines(of file: URL) throws -> [Prose] {
        var isCode = false
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").enumerated().compactMap {
            if $1.hasPrefix("```") { isCode.toggle() }
            guard !isCode, !$1.isEmpty, !$1.hasPrefix("    ") else { return nil }
            return Prose(place: "\(Repository.path(of: file)):\($0 + 1)", text: $1.trimmingCharacters(in: .whitespaces))
        }
    }
}

extension SwiftSource {
    /// Whether a tool writes the file.
    fileprivate var isGenerated: Bool { path.hasPrefix("Tests/CompatibilityTests/Uses/") }
}

extension Repository {
    /// The documents that people write: generated documents are left out.
    fileprivate static func markdown() throws -> [URL] {
        let folders = try ["Docs", "Modules", "Transports", "Tests", "Tools", "Examples"].flatMap { folder in
            try files(in: folder) { $0.pathExtension == "md" }
        }
        let all = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map { root.appending(path: $0) } + folders
        return all.filter { !path(of: $0).hasPrefix("Docs/Compatibility.md") }
    }
}
