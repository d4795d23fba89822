import AirframeSocket
import Testing

@Suite("the end of the stream", .timeLimit(.minutes(1)))
struct EndOfStream {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let examples: [ExampleResponse] = [
        .init(
            "before the first byte", "", end: .clean,
            "connectionLost: response head: the server closed the connection without an answer"),
        .init(
            "in the status line", "HTTP/1.1 2", end: .clean,
            "connectionLost: response head: the server closed the connection within the response's head, after 10 bytes"
        ),
        .init("in a field", ok + "A: b", end: .clean, "within the response's head, after 21 bytes"),
        .init("before the empty line", ok + "A: b\r\n", end: .clean, "within the response's head, after 23 bytes"),
        .init(
            "after an informational response", "HTTP/1.1 100 C\r\n\r\n", end: .clean, "after 1 informational responses"),
        .init(
            "in content of a known length", ok + "Content-Length: 5\r\n\r\nhel", end: .clean,
            "bodyTruncated: response body: the connection ended 2 bytes before the end of the content"),
        .init("in a chunk's size", chunked + "5", end: .clean, "ended before the last chunk"),
        .init("in a chunk", chunked + "5\r\nhel", end: .clean, "ended 2 bytes before the end of a chunk"),
        .init("after a chunk", chunked + "3\r\nhel", end: .clean, "ended before the last chunk"),
        .init("between chunks", chunked + "3\r\nhel\r\n", end: .clean, "ended before the last chunk"),
        .init("before the trailer's end", chunked + "0\r\n", end: .clean, "ended within the trailer"),
        .init(
            "without the TLS close, content of unknown length", ok + "\r\nhello", end: .unclean, "without the TLS close"
        ),
    ]

    @Test("a truncated response is never complete", arguments: examples)
    func truncation(_ example: ExampleResponse) throws {
        #expect(try #require(example.transcript.failure).contains(example.expected))
        #expect(!example.transcript.isComplete)
        #expect(example.disagreement == nil)
    }

    @Test("content of a known length is complete even if the connection is reset after it")
    func resetAfterwards() {
        let transcript = Transcript(of: (Self.ok + "Content-Length: 2\r\n\r\nhi").latin1, end: .unclean)
        #expect(transcript.isComplete)
        #expect(transcript.body == "hi".latin1)
    }

    @Test("the parser records whether the response has begun, for retries on kept connections")
    func begun() throws {
        var parser = HTTP1ResponseParser()
        parser.begin(.ordinary)
        var position = 0
        _ = try parser.next(in: [UInt8]().span.bytes, from: &position)
        #expect(!parser.hasBegun)
        _ = try parser.next(in: "H".latin1.span.bytes, from: &position)
        #expect(parser.hasBegun)
        parser.begin(.ordinary)
        #expect(!parser.hasBegun)
    }
}
