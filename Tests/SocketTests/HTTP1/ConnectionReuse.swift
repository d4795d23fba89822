import AirframeSocket
import Testing

@Suite("reuse of connections (RFC 9112 §9.3)", .timeLimit(.minutes(1)))
struct ConnectionReuse {
    static let empty = "Content-Length: 0\r\n\r\n"

    @Test(
        "depends on the response",
        arguments: [
            ("HTTP/1.1 200 OK\r\n" + empty, nil),
            ("HTTP/1.1 200 OK\r\nConnection: close\r\n" + empty, .askedByServer),
            ("HTTP/1.1 200 OK\r\nConnection: keep-alive, Close\r\n" + empty, .askedByServer),
            ("HTTP/1.1 200 OK\r\nConnection: a\r\nCONNECTION: close\r\n" + empty, .askedByServer),
            ("HTTP/1.1 200 OK\r\nConnection: closed\r\n" + empty, nil),
            ("HTTP/1.0 200 OK\r\n" + empty, .oldVersion),
            ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n" + empty, nil),
            (
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n",
                .faultyFraming
            ),
            ("HTTP/1.1 200 OK\r\n\r\n", .untilClose),
            ("HTTP/1.1 304 N\r\nConnection: close\r\n\r\n", .askedByServer),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", .askedByServer),
            ("HTTP/1.1 204 N\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\n" + empty + "HTTP/1.1 200 OK\r\n\r\n", .surplus),
            ("HTTP/1.1 204 N\r\n\r\n\r\n", .surplus),
        ] as [(String, HTTP1CloseReason?)]
    )
    func response(_ text: String, _ reason: HTTP1CloseReason?) {
        #expect(Transcript(of: text.latin1).closeReason == reason)
        #expect(Transcript.disagreement(about: text.latin1) == nil)
    }

    @Test("is impossible after a response that was not read to its end")
    func unfinished() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"
        #expect(Transcript(of: text.latin1, end: .open).closeReason == .unfinished)
    }

    @Test("is impossible after a request with Connection: close")
    func request() throws {
        var parser = HTTP1ResponseParser()
        parser.begin(.ordinary, asksToClose: true)
        try read("HTTP/1.1 204 N\r\n\r\n", with: &parser)
        #expect(parser.closeReason(surplus: 0) == .askedByClient)
    }

    @Test("uses one parser for consecutive responses")
    func sequence() throws {
        var parser = HTTP1ResponseParser()
        #expect(parser.closeReason(surplus: 0) == nil)
        for _ in 0..<3 {
            parser.begin(.ordinary)
            #expect(parser.closeReason(surplus: 0) == .unfinished)
            try read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: b\r\n\r\n", with: &parser)
            #expect(parser.isComplete)
            #expect(parser.closeReason(surplus: 0) == nil)
            #expect(parser.closeReason(surplus: 1) == .surplus)
        }
    }

    private func read(_ text: String, with parser: inout HTTP1ResponseParser) throws {
        let bytes = text.latin1
        var position = 0
        while !parser.isComplete {
            let event = try parser.next(in: bytes.span.bytes, from: &position)
            try #require(event != .needsMore)
        }
        #expect(position == bytes.count)
    }
}
