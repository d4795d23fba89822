import AirframeSocket
import Testing

@Suite("responses that are rejected", .timeLimit(.minutes(1)))
struct RefusedResponses {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let heads: [ExampleResponse] = [
        .init("not HTTP", "SSH-2.0-OpenSSH_9.2\r\n", #"is not HTTP/1.1: it begins with "SSH-2.0-""#),
        .init("a short line that is not HTTP", "no\r\n", #"is not HTTP/1.1: it begins with "no\x0d""#),
        .init("HTML without a head (HTTP/0.9)", "<html>hello</html>", #"it begins with "<html>he""#),
        .init("HTTP/2 in words", "HTTP/2 200 OK\r\n\r\n", #"version is not 1.0 or 1.1: it begins with "HTTP/2 2""#),
        .init("HTTP/2.0", "HTTP/2.0 200 OK\r\n\r\n", "version is not 1.0 or 1.1"),
        .init("an HTTP/2 frame", "\0\0\u{12}\u{4}\0\0\0\0\0", "answered with an HTTP/2 frame"),
        .init("a TLS alert", "\u{15}\u{3}\u{1}\0\u{2}\u{2}\u{46}\0", "answered with a TLS alert"),
        .init("lower case", "http/1.1 200 OK\r\n\r\n", "is not HTTP/1.1"),
        .init("a space before it", " HTTP/1.1 200 OK\r\n\r\n", "is not HTTP/1.1"),
        .init("two spaces", "HTTP/1.1  200 OK\r\n\r\n", "no status of three digits"),
        .init("no space", "HTTP/1.1200 OK\r\n\r\n", "no space after its version"),
        .init("a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", "no status of three digits"),
        .init("a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", "no status of three digits"),
        .init("a status below 100", "HTTP/1.1 099 OK\r\n\r\n", #"status "099" is below 100"#),
        .init("a status in letters", "HTTP/1.1 abc OK\r\n\r\n", "no status of three digits"),
        .init("a signed status", "HTTP/1.1 +20 OK\r\n\r\n", "no status of three digits"),
        .init("no status", "HTTP/1.1\r\n\r\n", "no space after its version"),
        .init(
            "NUL in the reason", "HTTP/1.1 200 O\0K\r\n\r\n",
            "reason in the status line contains the control byte 0x00"
        ),
        .init("a bare CR in the status line", "HTTP/1.1 200 OK\rA: b\r\n\r\n", "control byte 0x0d"),
        .init(
            "a bare LF after the status line", "HTTP/1.1 200 OK\nA: b\r\n\r\n",
            "the status line ends with a bare line feed"),
        .init(
            "a bare LF after a field", ok + "A: b\nC: d\r\n\r\n",
            "a line of the header fields ends with a bare line feed"),
        .init("a bare LF as the empty line", ok + "A: b\r\n\n", "ends with a bare line feed"),
        .init("a bare CR in a value", ok + "A: b\rc\r\n\r\n", "the field A holds a bare carriage return at its byte 1"),
        .init(
            "two CRs at a line's end", ok + "A: b\r\r\n\r\n", "the field A holds a bare carriage return at its byte 1"),
        .init(
            "a bare LF before a folded line", ok + "A: b\n c\r\n\r\n",
            "the field A holds a bare line feed at its byte 1"),
        .init("NUL in a value", ok + "A: b\0c\r\n\r\n", "the field A holds the control byte 0x00 at its byte 1"),
        .init("a control byte in a value", ok + "A: \u{1}\r\n\r\n", "the control byte 0x01 at its byte 0"),
        .init(
            "DEL in a long value", ok + "A: 0123456789\u{7F}0123456789\r\n\r\n", "the control byte 0x7f at its byte 10"),
        .init("NUL in a name", ok + "A\0: b\r\n\r\n", #"field name "A\x00" is not a token"#),
        .init("a space in a name", ok + "A b: c\r\n\r\n", #"field name "A b" is not a token"#),
        .init("a name beyond ASCII", ok + "\u{E9}: c\r\n\r\n", #"field name "\xe9" is not a token"#),
        .init(
            "a space before a colon (RFC 9112 §5.1)", ok + "Content-Length : 0\r\n\r\n",
            "has white space before its colon"),
        .init("a tab before a colon", ok + "A\t: 0\r\n\r\n", "has white space before its colon"),
        .init("no name", ok + ": b\r\n\r\n", "empty name"),
        .init("no colon", ok + "hello\r\n\r\n", #"header line "hello" has no colon"#),
        .init("white space before the first field", ok + " A: b\r\n\r\n", "begin with white space"),
        .init("white space in place of the empty line", ok + " \r\n\r\n", "has no colon"),
        .init("five empty lines first", "\r\n\r\n\r\n\r\n\r\n" + ok, "5 empty lines"),
        .init("101 that nobody asked for", "HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\n", "without having been asked"),
        .init("101 after CONNECT", "HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\n", to: .connect, "without having been asked"),
    ]

    static let framings: [ExampleResponse] = [
        .init(
            "both framings (RFC 9112 §6.3)", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "both Transfer-Encoding and Content-Length"),
        .init(
            "two lengths that differ", ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "two Content-Lengths, 1 and 2"),
        .init("a list of lengths that differ", ok + "Content-Length: 1, 2\r\n\r\n", "two Content-Lengths, 1 and 2"),
        .init(
            "lengths that differ, without content", "HTTP/1.1 304 N\r\nContent-Length: 1, 2\r\n\r\n",
            "two Content-Lengths"),
        .init("an empty length", ok + "Content-Length:\r\n\r\n", "empty member"),
        .init("an empty length in a list", ok + "Content-Length: 1,\r\n\r\n", "empty member"),
        .init("a negative length", ok + "Content-Length: -1\r\n\r\n", #""-1" is not a number"#),
        .init("a signed length", ok + "Content-Length: +1\r\n\r\n", #""+1" is not a number"#),
        .init("a hexadecimal length", ok + "Content-Length: 0x1\r\n\r\n", #""0x1" is not a number"#),
        .init("a length with a space in it", ok + "Content-Length: 1 1\r\n\r\n", #""1 1" is not a number"#),
        .init("a folded length of two numbers", ok + "Content-Length: 1\r\n 1\r\n\r\n", #""1 1" is not a number"#),
        .init(
            "a length beyond 64 bits", ok + "Content-Length: 9223372036854775808\r\n\r\n",
            "larger than 64 bits can hold"),
        .init(
            "a length of many digits", ok + "Content-Length: 100000000000000000000000\r\n\r\n", "larger than 64 bits"),
        .init("a coding that nobody asked for", ok + "Transfer-Encoding: gzip\r\n\r\n", #"is "gzip", not chunked"#),
        .init("a coding before chunked", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", #""gzip" was not asked for"#),
        .init(
            "chunked before another coding", ok + "Transfer-Encoding: chunked, gzip\r\n\r\n", #"is "gzip", not chunked"#
        ),
        .init(
            "the same in two fields", ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
            #"is "identity", not chunked"#),
        .init(
            "chunked twice (RFC 9112 §6.1)", ok + "Transfer-Encoding: chunked, chunked\r\n\r\n", "names chunked twice"),
        .init(
            "chunked with a parameter", ok + "Transfer-Encoding: chunked;a=b\r\n\r\n", #"is "chunked;a=b", not chunked"#
        ),
        .init("a vertical tab before chunked", ok + "Transfer-Encoding: \u{B}chunked\r\n\r\n", "control byte 0x0b"),
        .init("an empty coding", ok + "Transfer-Encoding:\r\n\r\n", "the Transfer-Encoding is empty"),
    ]

    static let chunks: [ExampleResponse] = [
        .init("no size", chunked + "\r\n", "does not begin with a hexadecimal digit"),
        .init("a size in other letters", chunked + "g\r\n", "does not begin with a hexadecimal digit"),
        .init("a negative size", chunked + "-1\r\n", "does not begin with a hexadecimal digit"),
        .init("a size with a sign", chunked + "+1\r\n", "does not begin with a hexadecimal digit"),
        .init("a size with a prefix", chunked + "0x1\r\n", "something other than an extension follows the size"),
        .init("a space before the size", chunked + " 1\r\n", "does not begin with a hexadecimal digit"),
        .init("a space after the size", chunked + "1 \r\na\r\n", "something other than an extension follows the size"),
        .init("a size beyond 63 bits", chunked + "8000000000000000\r\n", "larger than 64 bits can hold"),
        .init("a size beyond 64 bits", chunked + "10000000000000000\r\n", "larger than 64 bits can hold"),
        .init(
            "a bare LF after the size", chunked + "1\na\r\n0\r\n\r\n", "the line before a chunk does not end in CR LF"),
        .init("a bare CR in an extension", chunked + "1;a\rb\r\na\r\n", "something other than an extension"),
        .init("no name of an extension", chunked + "1;\r\na\r\n", "an extension has no name"),
        .init("no value of an extension", chunked + "1;a=\r\na\r\n", "an extension has no value"),
        .init("a quoted extension without an end", chunked + "1;a=\"b\r\na\r\n", "a quoted extension does not end"),
        .init("data longer than its size", chunked + "1\r\nab\r\n", "longer than its size, or not followed by CR LF"),
        .init("no CR after the data", chunked + "1\r\na\n0\r\n\r\n", "not followed by CR LF"),
        .init("no LF after the data", chunked + "1\r\na\r0\r\n\r\n", "not followed by CR LF"),
        .init("a trailer without a colon", chunked + "0\r\nhello\r\n\r\n", "has no colon"),
        .init("a trailer with NUL", chunked + "0\r\nA: \0\r\n\r\n", "control byte 0x00"),
        .init("a bare LF as the end of the trailer", chunked + "0\r\n\n", "ends with a bare line feed"),
    ]

    @Test("a head that violates the grammar", arguments: heads + framings)
    func head(_ example: ExampleResponse) throws {
        let failure = try #require(example.transcript.failure)
        #expect(failure.hasPrefix("malformedResponse: response head: "))
        #expect(failure.contains(example.expected))
        #expect(example.transcript.closeReason == .failed)
    }

    @Test("chunks that violate the grammar", arguments: chunks)
    func chunk(_ example: ExampleResponse) throws {
        let failure = try #require(example.transcript.failure)
        #expect(failure.hasPrefix("malformedResponse: response body: "))
        #expect(failure.contains(example.expected))
    }

    @Test("the division into pieces changes nothing", arguments: heads + framings + chunks)
    func pieces(_ example: ExampleResponse) {
        #expect(example.disagreement == nil)
    }

    @Test("each violation has its own error message")
    func texts() {
        // Violations of one rule share their message.
        let texts = Set((Self.heads + Self.framings + Self.chunks).compactMap(\.transcript.failure))
        #expect(texts.count > 65)
    }

    @Test("an error is thrown again by later calls")
    func again() {
        var parser = HTTP1ResponseParser()
        parser.begin(.ordinary)
        let bytes = "SSH-2.0-x\r\nHTTP/1.1 200 OK\r\n\r\n".latin1
        for _ in 0..<2 {
            var position = 0
            #expect(throws: (any Error).self) { try parser.next(in: bytes.span.bytes, from: &position) }
        }
        #expect(throws: (any Error).self) { try parser.finish(cleanly: true) }
    }
}
