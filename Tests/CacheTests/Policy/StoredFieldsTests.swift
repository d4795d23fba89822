import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("Stored header fields", .timeLimit(.minutes(1)))
struct StoredFieldsTests {
    @Test("validations add fields up to a limit, and the newest are kept")
    func limit() throws {
        var head = HTTPResponse.make(200, [("ETag", "\"1\"")])
        for round in 0..<8 {
            let newer = HTTPResponse.make(304, (0..<9_000).map { ("x-\(round)-\($0)", "") })
            head = StoredFields.updating(head, by: newer, policy: .private)
        }
        #expect(head.headerFields.count == StoredFields.maximumCount)
        #expect(try head.headerFields[#require(HTTPField.Name("x-7-8999"))] == "")
        #expect(try head.headerFields[#require(HTTPField.Name("x-0-8999"))] == nil)
    }
}
