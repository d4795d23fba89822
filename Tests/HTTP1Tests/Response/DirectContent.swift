import AirframeSocket
import Testing

@Suite("content that is read past the parser", .timeLimit(.minutes(1)))
struct DirectContent {
    @Test("the limit is what comes without anything between")
    func limit() throws {
        var parser = HTTP1ResponseParser()
        parser.begin(.ordinary)
        #expect(parser.directContentLimit == 0)
        var position = 0
        _ = try parser.next(in: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n".latin1.span.bytes, from: &position)
        #expect(parser.directContentLimit == 10)
        parser.consumeDirectly(4)
        #expect(parser.directContentLimit == 6)
        parser.consumeDirectly(-1)
        parser.consumeDirectly(1_000)
        #expect(parser.directContentLimit == 0)
        position = 0
        #expect(try parser.next(in: [UInt8]().span.bytes, from: &position) == .end(trailers: nil))
    }

    @Test("content that the end of the connection ends has no limit")
    func untilClose() throws {
        var parser = HTTP1ResponseParser()
        parser.begin(.ordinary)
        var position = 0
        _ = try parser.next(in: "HTTP/1.1 200 OK\r\n\r\n".latin1.span.bytes, from: &position)
        #expect(parser.directContentLimit == .max)
        parser.consumeDirectly(1 << 40)
        #expect(parser.directContentLimit == .max)
        #expect(try parser.finish(cleanly: true) == .end(trailers: nil))
    }
}
