import AirframeSocket
import Testing

@Suite("responses that are accepted", .timeLimit(.minutes(1)))
struct AcceptedResponses {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let examples: [ExampleResponse] = [
        .init("content of a known length", ok + "Content-Length: 5\r\n\r\nhello", "hello"),
        .init("content of length 0", ok + "Content-Length: 0\r\n\r\n"),
        .init("a length with zeros before it", ok + "Content-Length: 0005\r\n\r\nhello", "hello"),
        .init("two equal lengths (RFC 9110 §8.6)", ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi", "hi"),
        .init("a list of equal lengths", ok + "Content-Length: 2, 2\r\n\r\nhi", "hi"),
        .init("content until the connection ends", ok + "\r\nhello", end: .clean, "hello"),
        .init("no content before the connection ends", ok + "\r\n", end: .clean),
        .init("chunks", chunked + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"),
        .init("no chunk but the last", chunked + "0\r\n\r\n"),
        .init("a last chunk of many zeros", chunked + "1\r\na\r\n0000\r\n\r\n", "a"),
        .init(
            "chunk sizes in either case", chunked + "a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n",
            "01234567890123456789"),
        .init("chunk extensions", chunked + "2;a;b=c;d=\"e;\\\"f\"\r\nhi\r\n0;last\r\n\r\n", "hi"),
        .init("white space around chunk extensions (RFC 9112 §7.1.1)", chunked + "2 ; a = b\r\nhi\r\n0\r\n\r\n", "hi"),
        .init("Transfer-Encoding in capitals", ok + "TRANSFER-ENCODING: CHUNKED\r\n\r\n1\r\na\r\n0\r\n\r\n", "a"),
        .init("no reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
        .init("no reason and no space before it", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"),
        .init("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", "a"),
        .init("a later minor version (RFC 9110 §2.5)", "HTTP/1.9 200 OK\r\nContent-Length: 1\r\n\r\na", "a"),
        .init("chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "a"),
        .init("a status that nobody has defined", "HTTP/1.1 999 ?\r\nContent-Length: 1\r\n\r\na", "a"),
        .init("an empty value", ok + "A:\r\nB: \t \r\nContent-Length: 0\r\n\r\n"),
        .init("a value without a space before it", ok + "Content-Length:1\r\n\r\na", "a"),
        .init("a folded value (RFC 9112 §5.2)", ok + "A: b\r\n c\r\n\td\r\nContent-Length: 1\r\n\r\na", "a"),
        .init("a folded length", ok + "Content-Length:\r\n 1\r\n\r\na", "a"),
        .init("ISO Latin-1 in a value", ok + "A: caf\u{E9}\r\nContent-Length: 0\r\n\r\n"),
        .init("empty lines before the status line", "\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na", "a"),
        .init(
            "an informational response first", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na", "a"),
        .init(
            "several of them",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 P\r\n\r\n\r\n" + ok
                + "Content-Length: 1\r\n\r\na", "a"),
        .init("HEAD: no content, regardless of the fields", ok + "Content-Length: 5\r\n\r\n", to: .head),
        .init("HEAD: no chunks either", ok + "Transfer-Encoding: chunked\r\n\r\n", to: .head),
        .init("204 has no content", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .init("304 has no content", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
        .init("CONNECT that fails has content", "HTTP/1.1 407 P\r\nContent-Length: 1\r\n\r\na", to: .connect, "a"),
        .init("an upgrade that is declined", ok + "Content-Length: 1\r\n\r\na", to: .upgrade, "a"),
    ]

    @Test("content is delimited by RFC 9112 §6.3", arguments: examples)
    func content(_ example: ExampleResponse) {
        let transcript = example.transcript
        #expect(transcript.failure == nil)
        #expect(transcript.isComplete)
        #expect(transcript.body == example.expected.latin1)
        #expect(transcript.consumed == example.bytes.count)
    }

    @Test("the division into pieces changes nothing", arguments: examples)
    func pieces(_ example: ExampleResponse) {
        #expect(example.disagreement == nil)
    }

    @Test(
        "the head's fields are kept, byte by byte",
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n",
                #"200 "OK" ETag="\"a\"" Set-Cookie="a" Set-Cookie="b""#
            ),
            ("HTTP/1.1 404 caf\u{E9}\r\nX: caf\u{E9}\r\n", #"404 "café" X="café""#),
            ("HTTP/1.1 200\r\nx-lower: 1\r\nX-UPPER: 2\r\n", #"200 "" x-lower="1" X-UPPER="2""#),
            ("HTTP/1.1 200 OK\r\nA: b \r\n\t c \r\n  \t\r\n d\r\n", #"200 "OK" A="b c d""#),
            ("HTTP/1.1 200 OK\r\nA: b:c, \t d\r\n", #"200 "OK" A="b:c, \t d""#),
            (
                "HTTP/1.1 200 OK\r\ncontent-type: a/b\r\nContent-type: c/d\r\n",
                #"200 "OK" content-type="a/b" Content-type="c/d""#
            ),
        ]
    )
    func head(_ text: String, _ expected: String) {
        let bytes = (text + "\r\n").latin1
        #expect(Transcript(of: bytes, to: .head, end: .open).events.first == "head \(expected) \(bytes.count) none")
        #expect(Transcript.disagreement(about: bytes, to: .head, end: .open) == nil)
    }

    @Test("repeated equal lengths become one field (RFC 9110 §8.6)")
    func mergedLengths() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 1,1\r\nA: b\r\nContent-Length: 1\r\n\r\na"
        #expect(Transcript(of: text.latin1).events.first == #"head 200 "OK" Content-Length="1" A="b" 65 length(1)"#)
    }

    @Test("trailer fields arrive with the end, including folded and repeated ones (RFC 9110 §6.5)")
    func trailers() {
        let text = Self.chunked + "1\r\na\r\n0\r\nDigest: x\r\n y\r\nA: 1\r\nA: 2\r\n\r\n"
        #expect(Transcript(of: text.latin1).events.last == #"end Digest="x y" A="1" A="2""#)
        #expect(Transcript.disagreement(about: text.latin1) == nil)
    }

    @Test("informational responses are separate events")
    func informational() {
        let text = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
        #expect(
            Transcript(of: text.latin1).events == [
                #"informational 103 "Early Hints" Link="</a>""#, #"head 204 "No Content"  27 none"#, "end ",
            ]
        )
    }

    @Test(
        "after a switch of protocols the remaining bytes are not consumed",
        arguments: [
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nContent-Length: 4\r\n\r\n", HTTP1RequestKind.upgrade),
            ("HTTP/1.1 200 Established\r\nTransfer-Encoding: chunked\r\n\r\n", .connect),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 299 Yes\r\nContent-Length: x\r\n\r\n", .connect),
        ]
    )
    func tunnel(_ head: String, _ kind: HTTP1RequestKind) {
        let bytes = (head + "\u{0}HTTP/1.1 200 OK\r\n\r\n").latin1
        let transcript = Transcript(of: bytes, to: kind)
        #expect(transcript.consumed == head.utf8.count)
        #expect(transcript.events.last?.hasSuffix("tunnel") == true)
        #expect(transcript.closeReason == .tunnel)
        #expect(Transcript.disagreement(about: bytes, to: kind) == nil)
    }
}
