import AirframeConformance
import AirframeSocket
import AirframeTransport
import HTTPTypes
import Testing

@Suite("how violations are reported, to the caller and to the server", .timeLimit(.minutes(1)))
struct ReportedViolations {
    /// Frames that libnghttp2 does not see, and the error code of the GOAWAY that answers them.
    static let connectionErrors: [(String, [HTTP2Frame], UInt32)] = [
        ("a push", [HTTP2Frame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2, 0x88])], 1),
        ("a large section", [HTTP2Frame(type: 1, flags: 0, stream: 1, payload: [0], announcedLength: 2_000)], 11),
        ("a flood", Array(repeating: HTTP2Frame(type: 0xEE, payload: [1]), count: 3_000), 11),
    ]

    @Test("a violation that ends the connection is answered with GOAWAY (RFC 9113 §5.4.1)", arguments: connectionErrors)
    func goAway(_ name: String, _ frames: [HTTP2Frame], _ code: UInt32) throws {
        let server = try MemoryServer(HTTP2Limits(compressedFieldSection: 512))
        let stream = try server.open(.post, hasContent: true)
        _ = server.frames()
        server.receive(frames)
        #expect(StreamTranscript(stream).failure != nil)
        let sent = server.frames()
        #expect(sent.last?.type == 7)
        let sentCode = sent.last?.payload.dropFirst(4).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        #expect(sentCode == code)
        #expect(server.frames().isEmpty)
    }

    @Test("a server that exceeds a stream's window violates the protocol, and the error names the rule")
    func streamWindow() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        let piece = Array(repeating: UInt8(1), count: 16 << 10)
        server.receive([HTTP2Frame.ok()] + Array(repeating: HTTP2Frame.data(piece), count: 5))
        let failure = StreamTranscript(stream).failure
        #expect(failure?.code == .malformedResponse)
        #expect(failure?.message.contains("§6.9.1") == true)
        // FLOW_CONTROL_ERROR
        #expect(server.frames().contains { $0.type == 3 && $0.number == 3 })
        #expect(server.session.failure == nil)
    }

    /// Fields whose error shows their name.
    static let fields: [(String, String)] = [
        (":\u{1B}[31m" + String(repeating: "x", count: 1_000), "1"),
        ("\u{1B}[31m" + String(repeating: "x", count: 1_000), "1"),
        (String(repeating: "x", count: 1_000), "a\nb"),
    ]

    @Test("a message shows the start of a long name, and no control characters", arguments: fields)
    func longName(_ name: String, _ value: String) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok([(name, value)])])
        let message = try #require(StreamTranscript(stream).failure?.message)
        #expect(message.count < 300)
        #expect(message.contains("xxx"))
        #expect(!message.contains("\u{1B}"))
    }
}
