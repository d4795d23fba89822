import AirframeSerialization
import Foundation
import Testing

@Suite("Server-sent events", .timeLimit(.minutes(1)))
struct ServerSentEventParserTests {
    private func events(_ text: String) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        return try parser.push(Data(text.utf8)) + parser.finish()
    }

    /// The examples of WHATWG HTML §9.2.6, and each of its rules.
    private static let streams: [(String, [ServerSentEvent])] = [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [ServerSentEvent(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            [ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
        (
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
            [ServerSentEvent(event: "add", data: "73857293"), ServerSentEvent(event: "remove", data: "2153")]
        ),
        ("\u{FEFF}data: a\r\rdata: b\r\n\r\ndata: c\n\n", [.init(data: "a"), .init(data: "b"), .init(data: "c")]),
        ("data: a\n\u{FEFF}data: b\n\n", [.init(data: "a")]),
        ("\u{FEFF}\u{FEFF}data: b\n\n", []),
        ("event: x\n\ndata: y\n\n", [.init(data: "y")]),
        (
            "id: 1\n\ndata: a\n\nid: 2\u{0}\ndata: b\n\nid: ü\ndata: c\n\n",
            [
                .init(data: "a", id: "1"), .init(data: "b", id: "1"), .init(data: "c", id: "ü"),
            ]
        ),
        ("Data: a\nDATA: b\n data: c\nunknown: d\n\n", []),
        ("data:a:b\ndata::\n\n", [.init(data: "a:b\n:")]),
        ("data: a\nevent:\n\n", [.init(data: "a")]),
        ("", []), ("\n\n\n", []), (":\n:\n\n", []), ("data: incomplete", []), ("data: incomplete\n", []),
    ]

    @Test("streams are interpreted by the standard's rules (WHATWG HTML §9.2.6)", arguments: streams)
    func rules(stream: String, expected: [ServerSentEvent]) throws {
        #expect(try events(stream) == expected)
        let bytes = Data(stream.utf8)
        #expect(Transcript<ServerSentEvent>.disagreement(about: bytes, parser: ServerSentEventParser()) { $0 } == nil)
        let returns = Data(
            stream.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\n", with: "\r\n").utf8)
        #expect(try events(String(decoding: returns, as: UTF8.self)) == expected)
        #expect(Transcript<ServerSentEvent>.disagreement(about: returns, parser: ServerSentEventParser()) { $0 } == nil)
    }

    @Test("an event is delivered with its empty line, whatever ends the line")
    func promptness() throws {
        for end in ["\n", "\r", "\r\n"] {
            var parser = ServerSentEventParser()
            #expect(try parser.push(Data("data: a\(end)\(end)".utf8)).count == 1)
        }
        var parser = ServerSentEventParser()
        #expect(try parser.push(Data("data: a\r\n\r".utf8)).count == 1)
        #expect(try parser.push(Data("\ndata: b\r\n\r\n".utf8)) == [ServerSentEvent(data: "b")])
    }

    @Test("invalid UTF-8 becomes U+FFFD, also across chunks")
    func encoding() throws {
        let bytes = Data("data: ".utf8) + Data([0xFF, 0xE2, 0x82]) + Data("\n\n".utf8)
        var parser = ServerSentEventParser()
        #expect(try parser.push(bytes).first?.data == "\u{FFFD}\u{FFFD}")
        let euro = Data("data: €\n\n".utf8)
        #expect(Transcript<ServerSentEvent>.disagreement(about: euro, parser: ServerSentEventParser()) { $0 } == nil)
    }

    @Test(
        "retry accepts digits only",
        arguments: [
            ("retry: 1500\n", Duration.milliseconds(1500)), ("retry:0\n", .zero), ("retry: 1.5\n", nil),
            ("retry: -1\n", nil), ("retry\n", nil), ("retry: 99999999999999999999999\n", nil), ("retry: 1 \n", nil),
        ] as [(String, Duration?)])
    func reconnectionTime(line: String, expected: Duration?) throws {
        var parser = ServerSentEventParser()
        _ = try parser.push(Data(line.utf8))
        #expect(parser.reconnectionTime == expected)
    }

    @Test("the last identifier takes effect at the end of its event and outlives a connection")
    func lastEventID() throws {
        var parser = ServerSentEventParser(lastEventID: "0")
        #expect(try parser.push(Data("data: a\n\n".utf8)) == [ServerSentEvent(data: "a", id: "0")])
        _ = try parser.push(Data("id: 1\n".utf8))
        #expect(parser.lastEventID == "0")
        _ = try parser.push(Data("\n".utf8))
        #expect(parser.lastEventID == "1")
        _ = try parser.push(Data("id\n\n".utf8))
        #expect(parser.lastEventID.isEmpty)
    }

    @Test("an endless event fails at the limit, however many lines it has")
    func limit() {
        for stream in [String(repeating: "x", count: 200), String(repeating: "data: 0123456789\n", count: 20)] {
            let bytes = Data(stream.utf8)
            let parser = ServerSentEventParser(maximumLength: 100)
            let transcript = Transcript<ServerSentEvent>(of: bytes, parser: parser) { $0 }
            #expect(transcript.failure?.reason == .tooLong(limit: 100))
            #expect(Transcript<ServerSentEvent>.disagreement(about: bytes, parser: parser) { $0 } == nil)
        }
    }
}
