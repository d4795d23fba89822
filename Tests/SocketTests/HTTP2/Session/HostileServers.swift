import AirframeConformance
import AirframeSocket
import AirframeTransport
import Testing

@Suite("hostile servers", .timeLimit(.minutes(1)))
struct HostileServers {
    /// Frames, and a part of the error that they must cause.
    struct Violation: Sendable, CustomTestStringConvertible {
        let name: String
        let frames: [HTTP2Frame]
        let words: String
        var testDescription: String { name }

        init(_ name: String, _ frames: [HTTP2Frame], _ words: String) {
            (self.name, self.frames, self.words) = (name, frames, words)
        }
    }

    static let messages = [
        Violation("no status", [.headers([("x-a", "b")])], "§8.3.2"),
        Violation("two statuses", [.headers([(":status", "200"), (":status", "200")])], "§8.3.2"),
        Violation("a status after fields", [.headers([("x-a", "b"), (":status", "200")])], "§8.3"),
        Violation("a status of letters", [.headers([(":status", "abc")])], "§8.3.2"),
        Violation("a status of two digits", [.headers([(":status", "20")])], "§8.3.2"),
        Violation("a request's pseudo field", [.headers([(":status", "200"), (":path", "/")])], ":path"),
        Violation("101", [.headers([(":status", "101")])], "§8.6"),
        Violation("a 1xx that ends", [.headers([(":status", "100")], end: true)], "§8.1"),
        Violation("an upper case name", [.ok([("X-A", "b")])], "§8.2.1"),
        Violation("an empty name", [.ok([("", "b")])], "§8.2.1"),
        Violation("a space in a name", [.ok([("a b", "b")])], "§8.2.1"),
        Violation("a line feed in a value", [.ok([("x-a", "b\nc: d")])], "§8.2.1"),
        Violation("a NUL in a value", [.ok([("x-a", "b\0")])], "§8.2.1"),
        Violation("a space before a value", [.ok([("x-a", " b")])], "§8.2.1"),
        Violation("connection", [.ok([("connection", "close")])], "§8.2.2"),
        Violation("transfer-encoding", [.ok([("transfer-encoding", "chunked")])], "§8.2.2"),
        Violation("keep-alive", [.ok([("keep-alive", "1")])], "§8.2.2"),
        Violation("a length that is none", [.ok([("content-length", "1x")])], "content-length"),
        Violation("a negative length", [.ok([("content-length", "-1")])], "content-length"),
        Violation("a length beyond 64 bits", [.ok([("content-length", "99999999999999999999")])], "content-length"),
        Violation("two lengths", [.ok([("content-length", "1"), ("content-length", "2")])], "§8.1.1"),
        Violation("too much content", [.ok([("content-length", "1")]), .data("ab")], "§8.1.1"),
        Violation("too little content", [.ok([("content-length", "3")]), .data("ab", end: true)], "§8.1.1"),
        Violation("no content but a length", [.ok([("content-length", "3")], end: true)], "§8.1.1"),
        Violation("content of a 204", [.headers([(":status", "204")]), .data("x", end: true)], "§6.4.1"),
        Violation("content of a 304", [.headers([(":status", "304")]), .data("x", end: true)], "§6.4.1"),
        Violation("pseudo trailers", [.ok(), .headers([(":status", "200")], end: true)], "§8.1"),
        Violation("open trailers", [.ok(), .headers([("x-a", "b")])], "§8.1"),
        Violation("trailers of the connection", [.ok(), .headers([("upgrade", "b")], end: true)], "§8.2.2"),
        Violation("a reset", [.ok(), .data("a"), .reset(8)], "CANCEL"),
        Violation("a reset without error", [.ok(), .data("a"), .reset(0)], "NO_ERROR"),
    ]

    @Test("an invalid response ends its stream with an error that names the rule", arguments: messages)
    func streamErrors(_ violation: Violation) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        let other = try server.open()
        _ = server.frames()
        server.receive(violation.frames)
        let transcript = StreamTranscript(stream)
        #expect(!transcript.isWhole)
        let message = transcript.failure?.message ?? "no failure"
        #expect(message.contains(violation.words), "\(message)")
        #expect(server.session.failure == nil)
        server.receive([.ok(stream: 3), .data("ok", end: true, stream: 3)])
        #expect(StreamTranscript(other).text == "ok")
        #expect(server.session.streamCount == 0)
    }

    static let frames = [
        Violation("a push", [HTTP2Frame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2, 0x88])], "§8.4"),
        Violation("a short PING", [HTTP2Frame(type: 6, payload: [1])], "§4.2"),
        Violation("a PING on a stream", [HTTP2Frame(type: 6, stream: 1, payload: Array("12345678".utf8))], "§6.7"),
        Violation("SETTINGS on a stream", [HTTP2Frame(type: 4, stream: 1)], "§6.5"),
        Violation("SETTINGS of 5 bytes", [HTTP2Frame(type: 4, payload: [0, 1, 0, 0, 0])], "§4.2"),
        Violation("a push setting of 2", [.settings([(2, 2)])], "§6.5"),
        Violation("a window of 2^31", [.settings([(4, 0x8000_0000)])], "§6.5"),
        Violation("a WINDOW_UPDATE of 0", [.windowUpdate(0)], "§6.9"),
        Violation("a window that overflows", [.windowUpdate(0x7FFF_FFFF)], "FLOW_CONTROL_ERROR"),
        Violation("a WINDOW_UPDATE on an idle stream", [.windowUpdate(1, stream: 9)], "§6.9"),
        Violation(
            "a GOAWAY on a stream", [HTTP2Frame(type: 7, stream: 1, payload: Array(repeating: 0, count: 8))], "§6.8"),
        Violation("DATA on the connection", [.data("x", stream: 0)], "§6.1"),
        Violation("DATA on an idle stream", [.data("x", stream: 9)], "§6.1"),
        Violation("DATA above the largest frame", [.ok(), .data(Array(repeating: 1, count: 16_385))], "§4.2"),
        Violation(
            "padding beyond the content",
            [.ok(), HTTP2Frame(type: 0, flags: HTTP2Frame.padded, stream: 1, payload: [9, 1])], "§6.1"),
        Violation("a CONTINUATION without a head", [.continuation([("x-a", "b")])], "CONTINUATION"),
        Violation("a block that cannot be decoded", [.block([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])], "§4.3"),
        Violation("a head that is interrupted", [.block([0x88], flags: 0), .ping], "PROTOCOL_ERROR"),
        Violation("HEADERS on a stream of the server's", [.ok(stream: 2)], "HEADERS"),
        Violation("content before the head", [.data("abc")], "§6.1"),
        Violation("an end before the head", [.data("", end: true)], "§6.1"),
        Violation("RST_STREAM on an idle stream", [.reset(0, stream: 9)], "§6.4"),
    ]

    @Test("an invalid frame ends the connection with an error that names the rule", arguments: frames)
    func connectionErrors(_ violation: Violation) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive(violation.frames)
        let failure = StreamTranscript(stream).failure
        #expect(failure?.message.contains(violation.words) == true, "\(String(describing: failure))")
        #expect(server.session.failure != nil)
        #expect(server.session.capacity == 0)
    }

    static let floods: [(String, [HTTP2Frame])] = [
        ("WINDOW_UPDATE", [.windowUpdate(1)]), ("WINDOW_UPDATE on a stream", [.windowUpdate(1, stream: 1)]),
        ("PRIORITY", [.priority(dependency: 3)]), ("PING", [.ping]),
        ("PING acknowledgements", [HTTP2Frame(type: 6, flags: 1, payload: Array("12345678".utf8))]),
        ("SETTINGS", [.settings()]), ("empty DATA", [.data("")]),
        ("padding", [HTTP2Frame(type: 0, flags: 8, stream: 1, payload: [1, 0])]),
        ("unknown frames", [HTTP2Frame(type: 0xEE, payload: [1])]),
        ("RST_STREAM on a closed stream", [.reset(0, stream: 1)]),
        ("PRIORITY_UPDATE", [HTTP2Frame(type: 16, payload: [0, 0, 0, 1])]),
        ("GOAWAY", [.goAway(last: 1)]), ("ALTSVC", [HTTP2Frame(type: 10, stream: 1, payload: [0, 0])]),
    ]

    @Test("a flood ends the connection after a few thousand frames (RFC 9113 §10.5)", arguments: floods)
    func flood(_ name: String, _ frames: [HTTP2Frame]) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()])
        var count = 0
        while server.session.failure == nil, count < 10_000 {
            server.receive(frames)
            if count.isMultiple(of: 50) { _ = server.frames() }
            count += 1
        }
        #expect(count < 10_000)
        #expect(count > 100)
        #expect(!StreamTranscript(stream).isWhole)
    }

    @Test("keepalive frames are not a flood")
    func keepalive() throws {
        let server = try MemoryServer()
        for _ in 0..<20_000 {
            server.now += 100_000_000
            server.receive([.ping])
            _ = server.frames()
        }
        #expect(server.session.failure == nil)
    }

    @Test("an endless series of CONTINUATION frames is bounded, empty or not", arguments: [0, 1, 1_000, 16_384])
    func continuations(_ size: Int) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.block([0x88], flags: 0)])
        var count = 0
        // A table size update is one byte that adds no field.
        let payload = Array(repeating: UInt8(0x88), count: size)
        while server.session.failure == nil, count < 20_000 {
            server.receive([HTTP2Frame(type: 9, stream: 1, payload: payload)])
            count += 1
        }
        #expect(count < 20_000)
        #expect(StreamTranscript(stream).failure != nil)
    }

    @Test("a section is rejected by its decoded size (RFC 9113 §10.5.1)")
    func bomb() throws {
        let server = try MemoryServer(HTTP2Limits(fieldSection: 64 << 10))
        let stream = try server.open()
        _ = server.frames()
        // One field of 4 KB enters the dynamic table (RFC 7541 §6.2.1) and is then named 10,000 times by one byte.
        let value = Array(repeating: UInt8(ascii: "a"), count: 4_000)
        let length: [UInt8] = [0x7F] + [UInt8((4_000 - 127) % 128) | 0x80, UInt8((4_000 - 127) / 128)]
        let field: [UInt8] = [0x40, 1, UInt8(ascii: "x")] + length + value
        let block: [UInt8] = [0x88] + field + Array(repeating: 0xBE, count: 10_000)
        server.receive([.block(block)])
        let failure = StreamTranscript(stream).failure
        #expect(failure?.message.contains("§10.5.1") == true)
        #expect(failure?.code.rawValue == "headTooLarge")
        #expect(server.session.failure == nil)
    }

    @Test("more fields than the limit are rejected")
    func manyFields() throws {
        let server = try MemoryServer(HTTP2Limits(fieldCount: 100))
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok((0...100).map { ("x-\($0)", "") })])
        #expect(StreamTranscript(stream).failure?.code.rawValue == "headTooLarge")
    }

    @Test("an endless series of informational responses is rejected")
    func informational() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive((0..<100).map { _ in .headers([(":status", "103")]) })
        #expect(StreamTranscript(stream).failure?.code.rawValue == "headTooLarge")
    }

    private static let response: [HTTP2Frame] = [
        .block([0x88], flags: 0), .continuation([("x-a", "b")]), .data("ab"),
        HTTP2Frame(type: 0, flags: HTTP2Frame.padded, stream: 1, payload: [2] + Array("cd".utf8) + [0, 0]),
        .data(""), .headers([("x-trailer", "end")], end: true),
    ]

    @Test("a response truncated after any byte is never complete, however its bytes arrive")
    func cuts() throws {
        let bytes = Self.response.bytes
        for count in 0...bytes.count {
            for step in [1, 7, bytes.count] {
                let server = try MemoryServer()
                let stream = try server.open()
                _ = server.frames()
                var position = 0
                while position < count {
                    let end = min(position + step, count)
                    server.receive(bytes: Array(bytes[position..<end]))
                    position = end
                }
                server.session.finish()
                let transcript = StreamTranscript(stream)
                #expect(transcript.isWhole == (count == bytes.count))
                #expect((transcript.failure == nil) == (count == bytes.count))
                if transcript.isWhole { #expect(transcript.text == "abcd") }
            }
        }
    }

    @Test("of two violations in one read, the error names the first")
    func firstViolation() throws {
        let server = try MemoryServer(HTTP2Limits(compressedFieldSection: 512), settings: nil)
        let tooLarge = HTTP2Frame(type: 1, flags: 0, stream: 1, payload: [0], announcedLength: 2_000)
        server.receive([HTTP2Frame(type: 6, payload: Array(repeating: 0, count: 8)), tooLarge])
        #expect(server.session.failure?.message.contains("SETTINGS expected") == true)
    }

    @Test(
        "of a violation in a payload and one in the next header, the error names the first",
        arguments: [1, 7, 1_000])
    func firstViolationInPayload(pieceSize: Int) throws {
        let server = try MemoryServer(HTTP2Limits(compressedFieldSection: 512))
        // SETTINGS_MAX_FRAME_SIZE of 0.
        let settings = HTTP2Frame(type: 4, payload: [0, 5, 0, 0, 0, 0])
        let tooLarge = HTTP2Frame(type: 1, flags: 0, stream: 1, payload: [0], announcedLength: 2_000)
        let bytes = settings.bytes + tooLarge.bytes
        for start in stride(from: 0, to: bytes.count, by: pieceSize) {
            server.receive(bytes: Array(bytes[start..<min(start + pieceSize, bytes.count)]))
        }
        #expect(server.session.failure?.message.contains("SETTINGS_MAX_FRAME_SIZE") == true)
    }
}
