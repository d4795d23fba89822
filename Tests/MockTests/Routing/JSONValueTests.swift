import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("JSON values", .timeLimit(.minutes(1)))
struct JSONValueTests {
    /// Integers that a `Double` cannot represent.
    static let integers = ["9007199254740993", "-9007199254740993", "9223372036854775807", "18446744073709551615"]

    @Test("integers of 64 bits are exact", arguments: integers)
    func exact(text: String) throws {
        let json = #"{"id":\#(text)}"#
        let value = try #require(JSONValue(parsing: Data(json.utf8)))
        #expect(value.description == json)
        let data = try JSONEncoder().encode(value)
        #expect(String(decoding: data, as: UTF8.self) == json)
        let integer = try #require(Int128(text))
        #expect(value["id"] == .integer(integer))
        #expect(try JSONValue(encoding: value) == value)
    }

    @Test("a reply and a condition tell neighbouring integers apart")
    func neighbours() async throws {
        let identifier: JSONValue = ["id": 9_007_199_254_740_993]
        let mock = MockTransport { Route(.post, "/x").when(json: identifier).reply(.json(identifier)) }
        let (_, data) = try await mock.fetch(.post("/x", .bytes(Data(#"{"id":9007199254740993}"#.utf8))))
        #expect(String(decoding: data, as: UTF8.self) == #"{"id":9007199254740993}"#)
        let other = TransportRequest.post("/x", .bytes(Data(#"{"id":9007199254740992}"#.utf8)))
        #expect(await mock.failure(of: other)?.code == .unmatchedRequest)
    }

    @Test("an integer equals a number of exactly its value, and has its hash")
    func equality() throws {
        #expect(JSONValue.integer(1) == .number(1))
        #expect(JSONValue.integer(1) != .number(1.5))
        #expect(JSONValue.integer(9_007_199_254_740_993) != .number(9_007_199_254_740_992))
        #expect(Set<JSONValue>([.integer(1), .number(1), 1, 1.0]).count == 1)
        #expect(JSONValue(parsing: Data("[1.0,1e2,-0.0]".utf8)) == [1, 100, 0])
    }

    @Test("an integer of more than 64 bits cannot be encoded")
    func tooLarge() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([JSONValue.integer(.max)]) }
    }
}
