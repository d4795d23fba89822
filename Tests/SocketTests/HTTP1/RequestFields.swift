import AirframeSocket
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("a request's fields and framing", .timeLimit(.minutes(1)))
struct RequestFields {
    private func fields(_ head: RequestHead) throws -> String {
        let lines = try written(head).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(2) == ["\(head.request.method) / HTTP/1.1", "Host: api.test"])
        #expect(lines.suffix(2) == ["", ""])
        return lines.dropFirst(2).dropLast(2).joined(separator: " | ")
    }

    @Test("fields keep their order, case and repetition")
    func order() throws {
        let head = RequestHead(request(fields: [("b", "1"), ("A", "2"), ("b", ""), ("Cookie", "x"), ("B", "3")]))
        #expect(try fields(head) == "b: 1 | A: 2 | b:  | Cookie: x | B: 3")
    }

    @Test("the bytes of a value are written unchanged")
    func latin1() throws {
        var request = request()
        request.headerFields.append(HTTPField(name: .accept, value: [0x63, 0xE9]))
        var buffer: [UInt8] = []
        _ = try HTTP1RequestWriter.write(RequestHead(request), to: &buffer)
        #expect(buffer == "GET / HTTP/1.1\r\nHost: api.test\r\nAccept: c\u{E9}\r\n\r\n".latin1)
    }

    @Test(
        "the content is framed (RFC 9112 §6.2, RFC 9110 §8.6)",
        arguments: [
            (.get, .none, ""),
            (.delete, .none, ""),
            (.post, .none, "Content-Length: 0"),
            (.put, .none, "Content-Length: 0"),
            (.patch, .none, "Content-Length: 0"),
            (.get, .length(0), "Content-Length: 0"),
            (.get, .length(5), "Content-Length: 5"),
            (.post, .length(.max), "Content-Length: 9223372036854775807"),
            (.post, .unknown, "Transfer-Encoding: chunked"),
        ] as [(HTTPRequest.Method, RequestContentLength, String)]
    )
    func framing(_ method: HTTPRequest.Method, _ content: RequestContentLength, _ expected: String) throws {
        #expect(try fields(RequestHead(request(method), content: content)) == expected)
    }

    @Test(
        "the request's own framing fields may agree, and are written once",
        arguments: [
            ("Content-Length", "5", .length(5), "Content-Length: 5"),
            ("content-length", "0", .none, "Content-Length: 0"),
            ("Transfer-Encoding", "Chunked", .unknown, "Transfer-Encoding: chunked"),
        ] as [(String, String, RequestContentLength, String)]
    )
    func ownFraming(_ name: String, _ value: String, _ content: RequestContentLength, _ expected: String) throws {
        let head = RequestHead(request(.post, fields: [(name, value), (name, value)]), content: content)
        #expect(try fields(head) == expected)
    }

    @Test(
        "contradictory framing fields are rejected",
        arguments: [
            ("Content-Length", "6", .length(5)), ("Content-Length", "+5", .length(5)),
            ("Content-Length", "5", .unknown),
            ("Content-Length", "5", .none), ("Content-Length", "5, 5", .length(5)), ("Content-Length", "", .length(0)),
            ("Transfer-Encoding", "chunked", .length(5)), ("Transfer-Encoding", "chunked", .none),
            ("Transfer-Encoding", "gzip, chunked", .unknown), ("transfer-encoding", "identity", .none),
        ] as [(String, String, RequestContentLength)]
    )
    func conflict(_ name: String, _ value: String, _ content: RequestContentLength) {
        let head = RequestHead(request(.post, fields: [(name, value)]), content: content)
        #expect(throws: TransportError.self) { try written(head) }
    }

    @Test("content is rejected with methods that have none", arguments: [HTTPRequest.Method.head, .trace, .connect])
    func noContent(_ method: HTTPRequest.Method) {
        let head = RequestHead(request(method, "api.test:80"), content: .length(1))
        #expect(throws: TransportError.self) { try written(head) }
    }

    @Test("a negative length is rejected")
    func negative() {
        #expect(throws: TransportError.self) { try written(RequestHead(request(.post), content: .length(-1))) }
    }

    @Test(
        "Expect is sent once, and only with content (RFC 9110 §10.1.1)",
        arguments: [
            (false, nil, .length(1), false, "Content-Length: 1"),
            (true, nil, .length(1), true, "Content-Length: 1 | Expect: 100-continue"),
            (true, nil, .unknown, true, "Transfer-Encoding: chunked | Expect: 100-continue"),
            (true, nil, .length(0), false, "Content-Length: 0"),
            (true, nil, .none, false, "Content-Length: 0"),
            (true, "100-Continue", .length(1), true, "Expect: 100-Continue | Content-Length: 1"),
            (false, "100-continue", .length(1), true, "Expect: 100-continue | Content-Length: 1"),
            (false, "other", .length(1), false, "Expect: other | Content-Length: 1"),
        ] as [(Bool, String?, RequestContentLength, Bool, String)]
    )
    func expectation(
        _ asks: Bool,
        _ own: String?,
        _ content: RequestContentLength,
        _ isExpected: Bool,
        _ expected: String
    ) throws {
        let fields = own.map { [("Expect", $0)] } ?? []
        let head = RequestHead(request(.post, fields: fields), content: content, expectsContinue: asks)
        #expect(try self.fields(head) == expected)
        var buffer: [UInt8] = []
        #expect(try HTTP1RequestWriter.write(head, to: &buffer).expectsContinue == isExpected)
    }

    @Test("an expectation without content is rejected")
    func expectationWithoutContent() {
        let head = RequestHead(request(.post, fields: [("Expect", "100-continue")]))
        #expect(throws: TransportError.self) { try written(head) }
    }

    @Test(
        "connection options are recorded, and required ones are added (RFC 9110 §7.6.1)",
        arguments: [
            ([], .ordinary, false, ""),
            ([("Connection", "close")], .ordinary, true, "Connection: close"),
            (
                [("Connection", "keep-alive"), ("connection", "x, Close")], .ordinary, true,
                "Connection: keep-alive | connection: x, Close"
            ),
            ([("Upgrade", "websocket")], .upgrade, false, "Upgrade: websocket | Connection: Upgrade"),
            ([("Upgrade", "a"), ("Connection", "upgrade")], .upgrade, false, "Upgrade: a | Connection: upgrade"),
            ([("TE", "trailers")], .ordinary, false, "TE: trailers | Connection: TE"),
            ([("TE", "trailers"), ("Connection", "te")], .ordinary, false, "TE: trailers | Connection: te"),
        ] as [([(String, String)], HTTP1RequestKind, Bool, String)]
    )
    func connection(
        _ own: [(String, String)],
        _ kind: HTTP1RequestKind,
        _ asksToClose: Bool,
        _ expected: String
    ) throws {
        let head = RequestHead(request(fields: own))
        #expect(try fields(head) == expected)
        var buffer: [UInt8] = []
        let outcome = try HTTP1RequestWriter.write(head, to: &buffer)
        #expect(outcome.kind == kind)
        #expect(outcome.asksToClose == asksToClose)
    }

    @Test("HEAD is recognized")
    func head() throws {
        var buffer: [UInt8] = []
        #expect(try HTTP1RequestWriter.write(RequestHead(request(.head)), to: &buffer).kind == .head)
    }

    @Test("a value cannot end its field", arguments: ["a\r\nb: c", "a\nb", "a\rb", "a\0b"])
    func injection(_ value: String) throws {
        var request = request()
        request.headerFields.append(HTTPField(name: .accept, value: value))
        request.headerFields.append(HTTPField(name: .accept, lenientValue: value.utf8))
        // HTTPTypes replaces such bytes by spaces; the writer would reject them.
        #expect(try written(RequestHead(request)).split(separator: "\r\n").count == 4)
    }

    @Test("a long head with many fields is written completely")
    func long() throws {
        let value = String(repeating: "x", count: 5_000)
        let head = RequestHead(request(fields: (0..<300).map { ("X-\($0)", value) } + [("Host", "a")]))
        let text = try written(head)
        #expect(text.split(separator: "\r\n").count == 302)
        #expect(text.hasPrefix("GET / HTTP/1.1\r\nHost: a\r\nX-0: \(value)\r\nX-1: "))
        #expect(text.hasSuffix("X-299: \(value)\r\n\r\n"))
    }

    @Test("earlier bytes of the buffer are kept")
    func appends() throws {
        var buffer = Array("before".utf8)
        _ = try HTTP1RequestWriter.write(RequestHead(request()), to: &buffer)
        #expect(String(decoding: buffer, as: UTF8.self) == "beforeGET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
    }

    @Test("bodies are framed by their known length or in chunks")
    func bodies() {
        #expect(RequestContentLength(.none) == .none)
        #expect(RequestContentLength(.bytes(.init())) == .length(0))
        #expect(RequestContentLength(.bytes(.init([1, 2]))) == .length(2))
        #expect(RequestContentLength(.bytes(.init([1, 2])).trailers { [:] }) == .unknown)
        #expect(RequestContentLength(.file(FileRegion(path: "/a", length: 7))) == .length(7))
        #expect(RequestContentLength(.sequence(AsyncStream { nil })) == .unknown)
        #expect(RequestContentLength(.sequence(AsyncStream { nil }, length: 3)) == .length(3))
    }
}
