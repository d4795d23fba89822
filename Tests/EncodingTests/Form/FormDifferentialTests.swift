import AirframeEncoding
import AirframeTestSupport
import Foundation
import Testing

@Suite("Forms, parsed by other software", .timeLimit(.minutes(1)))
struct FormDifferentialTests {
    private static let texts = [
        "", "a", "a b", "a+b", "a%20b", "100%", "&", "=", "a=b&c=d", "#", "?", "/", "~", "*", "'", "\"", "é", "漢字", "😀",
        "\u{0}", "\t", "\r\n", "a;b", "[x]", "a.b-c_d", "e\u{301}", "\u{7F}", "<script>", "\\", "{}", "|", "^", "`",
        ":@!$,()",
    ]

    /// Pairs out of the texts, each text once as a name and once as a value.
    private static let pairs = texts.indices.dropFirst().map { (texts[$0], texts[texts.count - 1 - $0]) }

    @Test("Python parses every form back into its names and values, with either encoding of spaces")
    func python() async throws {
        let encoders = [Form(), Form(spaceEncoding: .plusReplaced), Form(allowedCharacters: .alphanumerics)]
        let lines = try encoders.flatMap { encoder in
            try Self.pairs.map { try encoder.encode([$0: $1]) as String }
        }
        let folder = try TemporaryFolder()
        let input = try folder.file("forms", Data(lines.joined(separator: "\n").utf8))
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Peers/read_query.py")
        let command = "python3 '\(script.standardizedFileURL.path)' < '\(input.path)'"
        let outcome = try await Command(["sh", "-c", command]).run()
        try #require(outcome.status == 0, "\(outcome.output)")
        let found = try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode([[String]].self, from: Data($0.utf8))
        }
        #expect(found.count == lines.count)
        for (index, entry) in found.enumerated() {
            let (name, value) = Self.pairs[index % Self.pairs.count]
            #expect(
                entry.map { $0.map { Array($0.unicodeScalars) } } == [[name, value].map { Array($0.unicodeScalars) }])
        }
    }

    @Test(
        "the WHATWG's serializer is a choice of options (URL §5.2: all but *-._ and letters and digits, plus for space)",
        arguments: [
            ("a b", "a+b"), ("*-._", "*-._"), ("~", "%7E"), ("+", "%2B"), ("é", "%C3%A9"), ("/?", "%2F%3F"),
            ("'()!", "%27%28%29%21"), ("\u{0}\n", "%00%0A"), ("😀", "%F0%9F%98%80"),
        ])
    func webForm(text: String, expected: String) throws {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*-._")
        let encoder = Form(spaceEncoding: .plusReplaced, allowedCharacters: allowed)
        #expect(try encoder.encode([text: text]) == "\(expected)=\(expected)")
    }
}
