import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

/// Faults of servers on HTTP/1.1, and the expected errors.
@Suite("Malformed responses", .timeLimit(.minutes(1)))
struct FaultTests {
    let transport = CurlTransport()

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let code: TransportError.Code

        init(_ name: String, _ text: String, _ code: TransportError.Code) {
            testDescription = name
            self.text = text
            self.code = code
        }
    }

    static let cases: [Case] = [
        Case("nothing at all", "", .connectionLost),
        Case("close within the status line", "HTTP/1.1 20", .connectionLost),
        Case("close within a header line", "HTTP/1.1 200 OK\r\nContent-Le", .connectionLost),
        Case("close before the empty line", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", .connectionLost),
        Case("short body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", .bodyTruncated),
        Case("not HTTP", "220 mail.test ESMTP\r\n", .malformedResponse),
        Case("HTTP/0.9", "<html>hello</html>", .malformedResponse),
        Case("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .malformedResponse),
        Case("HTTP/2.0 as a version", "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("HTTP/2 as a version", "HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("HTTP/1.2", "HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("status of six digits", "HTTP/1.1 999999 X\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("status in letters", "HTTP/1.1 abc X\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("status below 100", "HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("status of two digits", "HTTP/1.1 20 X\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("NUL in a value", "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("NUL in a name", "HTTP/1.1 200 OK\r\nX\0Y: a\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("bare CR in a value", "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("no colon", "HTTP/1.1 200 OK\r\nnothing\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("space in a name", "HTTP/1.1 200 OK\r\nX Y: a\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case("empty name", "HTTP/1.1 200 OK\r\n: a\r\nContent-Length: 0\r\n\r\n", .malformedResponse),
        Case(
            "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", .malformedResponse),
        Case("a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3, 5\r\n\r\nabcde", .malformedResponse),
        Case("negative length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabcde", .malformedResponse),
        Case("length with a plus", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nabcde", .malformedResponse),
        Case("length with letters", "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\nabcde", .malformedResponse),
        Case(
            "length beyond 64 bits", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabc",
            .malformedResponse
        ),
        Case(
            "101 unasked", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
            .malformedResponse),
        Case("chunk size cut", chunked("5"), .bodyTruncated),
        Case("chunk data cut", chunked("5\r\nab"), .bodyTruncated),
        Case("no last chunk", chunked("2\r\nab\r\n"), .bodyTruncated),
        Case("trailer cut", chunked("2\r\nab\r\n0\r\nX: "), .bodyTruncated),
        Case("chunk size beyond 64 bits", chunked("fffffffffffffffff\r\nab"), .malformedResponse),
        Case("negative chunk size", chunked("-2\r\nab\r\n0\r\n\r\n"), .malformedResponse),
        Case("chunk size with 0x", chunked("0x2\r\nab\r\n0\r\n\r\n"), .malformedResponse),
        Case("no chunk size", chunked("\r\nab\r\n0\r\n\r\n"), .malformedResponse),
        Case("no line end after a chunk", chunked("2\r\nabXX0\r\n\r\n"), .malformedResponse),
    ]

    static func chunked(_ body: String) -> String { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)" }

    @Test("a malformed response fails with an error that says so", arguments: cases)
    func broken(_ fault: Case) async throws {
        let server = try ScriptedServer.saying(fault.text)
        let error = try #require(await transport.failure(of: TransportRequest(.get, server.origin)))
        #expect(error.code == fault.code, "\(error)")
        #expect(error.processing == .unknown)
        #expect(error.phase == .responseHead || error.phase == .responseBody)
    }

    struct Good: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let body: String

        init(_ name: String, _ text: String, body: String = "") {
            testDescription = name
            self.text = text
            self.body = body
        }
    }

    static let unusual: [Good] = [
        Good("until the end", "HTTP/1.1 200 OK\r\n\r\nall of it", body: "all of it"),
        Good("HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nold", body: "old"),
        Good("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Good("chunks", chunked("2\r\nab\r\n3;x=y\r\ncde\r\n0\r\n\r\n"), body: "abcde"),
        Good("trailers", chunked("2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n"), body: "ab"),
        Good(
            "1xx first", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            body: "ok"),
        Good(
            "the same length twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Good("a list of the same lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok", body: "ok"),
        Good("bytes after the body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA", body: "ok"),
        Good("a status beyond 599", "HTTP/1.1 799 X\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Good("204 without a body", "HTTP/1.1 204 No Content\r\n\r\n"),
        Good("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n"),
    ]

    @Test("an unusual but valid response arrives whole", arguments: unusual)
    func sound(_ good: Good) async throws {
        let server = try ScriptedServer.saying(good.text)
        let (_, body) = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(body == Data(good.body.utf8))
    }

    @Test(
        "a reset is a lost connection",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "HTTP/1.1 200 OK\r\n\r\nab"])
    func reset(text: String) async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(text)
            connection.pause(.milliseconds(30))
            connection.reset()
        }
        let error = try #require(await transport.failure(of: TransportRequest(.get, server.origin)))
        #expect([.connectionLost, .bodyTruncated].contains(error.code), "\(error)")
    }

    @Test("folded header lines are joined (RFC 9112 §5.2)")
    func folding() async throws {
        let server = try ScriptedServer.saying(
            "HTTP/1.1 200 OK\r\nX-Long: one\r\n   two\r\n\tthree\r\nContent-Length: 0\r\n\r\n")
        let (response, _) = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(response.head.headerFields[try #require(HTTPField.Name("X-Long"))] == "one two three")
    }

    @Test("field values that are not UTF-8 are kept")
    func latin1() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            let value: [UInt8] = [0x66, 0xFC, 0x72]
            try connection.send(
                Array("HTTP/1.1 200 OK\r\nX-Latin: ".utf8) + value + Array("\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        let (response, _) = try await transport.fetch(TransportRequest(.get, server.origin))
        let field = response.head.headerFields.first { $0.name.canonicalName == "x-latin" }
        #expect(field?.withUnsafeBytesOfValue { Array($0) } == [0x66, 0xFC, 0x72])
    }

    @Test("a head above the limit is rejected")
    func largeHead() async throws {
        let line = "X-Filler: \(String(repeating: "x", count: 1000))\r\n"
        let server = try ScriptedServer.saying(
            "HTTP/1.1 200 OK\r\n\(String(repeating: line, count: 1000))Content-Length: 0\r\n\r\n"
        )
        let error = try #require(await transport.failure(of: TransportRequest(.get, server.origin)))
        #expect(error.code == .headTooLarge, "\(error)")
        #expect(error.message.contains("262144"))
    }

    @Test("an endless head is rejected, even if it is one line")
    func endlessHead() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nX-Endless: ")
            let block = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
            while true { try connection.send(block) }
        }
        let error = try #require(await transport.failure(of: TransportRequest(.get, server.origin)))
        #expect([.headTooLarge, .malformedResponse].contains(error.code), "\(error)")
    }

    @Test("endless informational responses are rejected")
    func endlessInformational() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            while true { try connection.send("HTTP/1.1 103 Early Hints\r\n\r\n") }
        }
        let error = try #require(await transport.failure(of: TransportRequest(.get, server.origin)))
        #expect(error.code == .headTooLarge)
        #expect(error.message.contains("informational"))
    }
}
