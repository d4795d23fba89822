import AirframeConformance
import AirframeSocket
import AirframeTransport
import HTTPTypes
import Testing

/// Connections and streams that end before a response is complete.
@Suite("ends of HTTP/2 connections and streams", .timeLimit(.minutes(1)))
struct Ends {
    /// How a server ends, and the code of a response that has begun.
    static let ends: [(String, [HTTP2Frame], TransportError.Code)] = [
        ("the end of the connection", [], .bodyTruncated),
        ("GOAWAY before the end", [.goAway(last: 1)], .bodyTruncated),
        ("GOAWAY with an error before the end", [.goAway(last: 1, 2)], .connectionLost),
        ("RST_STREAM with NO_ERROR", [.reset(0)], .bodyTruncated),
        ("RST_STREAM with an error", [.reset(2)], .connectionLost),
    ]

    @Test("content without END_STREAM is truncated, unless the server names an error (RFC 9113 §8.1)", arguments: ends)
    func content(_ name: String, _ frames: [HTTP2Frame], _ code: TransportError.Code) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok(), .data("abc")] + frames)
        server.session.finish()
        let transcript = StreamTranscript(stream)
        #expect(transcript.text == "abc")
        #expect(transcript.failure?.code == code)
    }

    @Test("before a head every end is a lost connection", arguments: ends)
    func head(_ name: String, _ frames: [HTTP2Frame], _ code: TransportError.Code) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive(frames)
        server.session.finish()
        #expect(StreamTranscript(stream).failure?.code == .connectionLost)
    }

    @Test("a tunnel has no content that could be truncated (RFC 9113 §8.5)")
    func tunnel() throws {
        let server = try MemoryServer(settings: [(8, 1)])
        let head = HTTPRequest(method: .connect, scheme: "https", authority: "a.example", path: "/chat")
        let stream = try server.session.open(
            HTTP2RequestHead(head, hasContent: true, protocolName: "websocket")
        ).stream
        _ = server.frames()
        server.receive([.ok(), .data("abc")])
        server.session.finish()
        #expect(StreamTranscript(stream).failure?.code == .connectionLost)
    }

    @Test("the error of a lost connection names the code of the server's GOAWAY (RFC 9113 §6.8)")
    func goAway() throws {
        for words in [nil, "the connection was lost"] {
            let server = try MemoryServer()
            let stream = try server.open()
            _ = server.frames()
            server.receive([.goAway(last: 1, 11)])
            server.session.finish(words)
            #expect(StreamTranscript(stream).failure?.message.contains("ENHANCE_YOUR_CALM") == true)
        }
    }
}
