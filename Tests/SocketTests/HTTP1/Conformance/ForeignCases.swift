import AirframeSocket
import Foundation
import Testing

/// The cases of another parser's test suite, read from a folder next to the repository.
@Suite("responses of another parser's suite", .timeLimit(.minutes(1)))
struct ForeignCases {
    /// One response, and the expected result of a parser.
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let raw: Data
        let expect: String
        let body: Data?
        let why: String

        var testDescription: String { "\(id): \(why)" }
    }

    static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../../shared/conformance/http1-responses-llhttp.json"
    ).standardizedFileURL

    static let cases: [Case] = (try? JSONDecoder().decode([Case].self, from: Data(contentsOf: file))) ?? []

    @Test("the cases are there", .enabled(if: !cases.isEmpty, "no conformance data next to the repository"))
    func casesAreThere() {
        #expect(Self.cases.count == 63)
    }

    @Test("is accepted or rejected as expected, with the expected content", arguments: cases)
    func verdict(_ example: Case) {
        let transcript = Transcript(of: Array(example.raw))
        switch example.expect {
        case "accept":
            #expect(transcript.failure == nil)
            if let body = example.body { #expect(transcript.body == Array(body)) }
        case "reject":
            #expect(transcript.failure != nil)
        default:
            break
        }
    }

    @Test("gives the same transcript for every division into pieces", arguments: cases)
    func cuts(_ example: Case) {
        #expect(Transcript.disagreement(about: Array(example.raw)) == nil)
    }

    @Test("writes the table of verdicts", .enabled(if: ProcessInfo.processInfo.environment["HTTP1_VERDICTS"] != nil))
    func table() {
        for example in Self.cases {
            let transcript = Transcript(of: Array(example.raw))
            print("| \(example.id) | \(example.why) | \(example.expect) | \(transcript.failure ?? "accepted") |")
        }
    }
}
