import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// Responses from the tests of llhttp, kept outside the repository; without them the test is skipped.
@Suite("Responses that others collected", .timeLimit(.minutes(1)))
struct ForeignFramingTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let raw: Data
        let expect: String
        let body: Data?
        let why: String

        var testDescription: String { "\(id) \(why): \(expect)" }
    }

    static let cases: [Case] = {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../../../shared/conformance/http1-responses-llhttp.json")
        guard let data = try? Data(contentsOf: file.standardizedFileURL) else { return [] }
        return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
    }()

    @Test(
        "each response is accepted or rejected as its collection states",
        .enabled(if: !cases.isEmpty, "the collection is not here"),
        arguments: cases
    )
    func foreign(_ foreign: Case) async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(Array(foreign.raw))
        }
        let transport = CurlTransport()
        let result: Data?
        let words: String
        do {
            result = try await transport.fetch(TransportRequest(.get, server.origin)).body
            words = "accepted"
        } catch {
            result = nil
            words = "\(error)"
        }
        switch foreign.expect {
        case "accept":
            #expect(result != nil, "\(words)")
            if let body = foreign.body, !body.isEmpty { #expect(result == body) }
        case "reject": #expect(result == nil, "\(words)")
        default: break
        }
    }
}
