import AirframeSocket
import Testing

@Suite("limits", .timeLimit(.minutes(1)))
struct Limits {
    static let limits = HTTP1Limits(
        statusLine: 64,
        fieldLine: 128,
        head: 512,
        fieldCount: 10,
        informationalCount: 3,
        chunkLine: 32,
        trailer: 96
    )
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let examples: [ExampleResponse] = [
        .init(
            "a status line", "HTTP/1.1 200 " + repeated("x", 60) + "\r\n\r\n",
            "headTooLarge: response head: the status line is longer than 64 bytes"),
        .init(
            "a status line without an end", "HTTP/1.1 200 " + repeated("x", 600),
            "the status line is longer than 64 bytes"),
        .init("something that is not HTTP, without an end", repeated("x", 600), "is not HTTP/1.1"),
        .init("a field", ok + "A: " + repeated("x", 128) + "\r\n\r\n", "a header field is longer than 128 bytes"),
        .init("a field without an end", ok + "A: " + repeated("x", 900), "a header field is longer than 128 bytes"),
        .init(
            "a folded field", ok + "A: b" + repeated("\r\n c", 40) + "\r\n\r\n",
            "a header field is longer than 128 bytes"),
        .init(
            "a head", ok + repeated("A: " + repeated("x", 95) + "\r\n", 6) + "\r\n",
            "the response's head is larger than 512 bytes"),
        .init("the number of fields", ok + repeated("A: b\r\n", 11) + "\r\n", "more than 10 header fields"),
        .init(
            "informational responses", repeated("HTTP/1.1 100 C\r\n\r\n", 4) + ok + "\r\n",
            "more than 3 informational responses"),
        .init(
            "a chunk's extensions", chunked + "1;" + repeated("x", 40) + "\r\na\r\n",
            "malformedResponse: response body: the line before a chunk is longer than 32 bytes"),
        .init(
            "a chunk's size", chunked + repeated("0", 40) + "\r\n", "the line before a chunk is longer than 32 bytes"),
        .init(
            "a trailer", chunked + "0\r\n" + repeated("A: " + repeated("x", 20) + "\r\n", 6) + "\r\n",
            "headTooLarge: response body: the response's trailer is larger than 96 bytes"),
    ]

    @Test("everything that could grow without bound has a limit", arguments: examples)
    func excess(_ example: ExampleResponse) throws {
        let transcript = Transcript(of: example.bytes, limits: Self.limits)
        #expect(try #require(transcript.failure).contains(example.expected))
        #expect(Transcript.disagreement(about: example.bytes, limits: Self.limits) == nil)
    }

    @Test("sizes at their limit are accepted")
    func fits() {
        let head = Self.ok + "A: " + Self.repeated("x", 123) + "\r\n" + Self.repeated("A: b\r\n", 8)
        let text = Self.repeated("HTTP/1.1 100 C\r\n\r\n", 3) + head + "Content-Length: 0\r\n\r\n"
        #expect(Transcript(of: text.latin1, limits: Self.limits).failure == nil)
    }

    @Test("the fields of a trailer are counted separately, up to the capacity of HTTPFields")
    func fieldCount() {
        let limits = HTTP1Limits(head: 1 << 24, fieldCount: .max)
        let text = Self.ok + Self.repeated("A: b\r\n", 70_000) + "\r\n"
        #expect(Transcript(of: text.latin1, limits: limits).failure?.contains("more than 60000 header fields") == true)
    }

    @Test("limits too small for any response are raised")
    func raised() {
        let limits = HTTP1Limits(statusLine: -1, fieldLine: 0, head: .min, fieldCount: 0, chunkLine: 0, trailer: 0)
        let text = Self.chunked + "1\r\na\r\n0\r\n\r\n"
        #expect(Transcript(of: text.latin1, limits: limits).body == "a".latin1)
    }
}
