import AirframeConformance
import AirframeSocket
import HTTPTypes
import Testing

@Suite("exchanges over an HTTP/2 session", .timeLimit(.minutes(1)))
struct Exchanges {
    @Test("a session starts with the preface and SETTINGS that disable push (RFC 9113 §3.4, §8.4)")
    func preface() throws {
        let session = try HTTP2Session(HTTP2Limits(streamWindow: 100_000))
        var bytes: [UInt8] = []
        session.write { output in
            bytes = Array(output)
            return output.count
        }
        #expect(bytes.starts(with: HTTP2Frame.preface))
        let settings = bytes.dropFirst(HTTP2Frame.preface.count)
        #expect(settings.dropFirst(3).first == 4)
        #expect(settings.dropFirst(9).starts(with: [0, 2, 0, 0, 0, 0, 0, 4, 0, 1, 0x86, 0xA0]))
    }

    @Test("a request without content is one HEADERS frame that ends the stream")
    func request() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        let frames = server.frames()
        #expect(frames.map(\.type) == [1])
        #expect(frames.first?.flags == HTTP2Frame.endStream | HTTP2Frame.endHeaders)
        #expect(stream.id == 1)
        server.receive([.headers([(":status", "103"), ("link", "</a>")]), .ok([("x-a", "b")]), .data("hello")])
        server.receive([.headers([("x-sum", "5")], end: true)])
        let transcript = StreamTranscript(stream)
        #expect(transcript.informational == [103])
        #expect(transcript.status == 200)
        #expect(transcript.fields.first { $0.name.canonicalName == "x-a" }?.value == "b")
        #expect(transcript.text == "hello")
        #expect(transcript.trailers?.count == 1)
        #expect(transcript.isWhole)
        #expect(server.session.streamCount == 0)
    }

    @Test("content is framed within the stream's window, and trailers end it (RFC 9113 §5.2, §8.1)")
    func upload() throws {
        let server = try MemoryServer(settings: [(4, 10)])
        let stream = try server.open(.post, hasContent: true)
        let content = Array(repeating: UInt8(7), count: 25)
        #expect(content.withUnsafeBytes { server.session.send($0, on: stream) } == 25)
        server.session.finish(stream, trailers: [.eTag: "x"])
        #expect(server.frames().filter { $0.type == 0 }.map(\.payload.count) == [10])
        server.receive([.windowUpdate(15, stream: 1)])
        let rest = server.frames()
        #expect(rest.filter { $0.type == 0 }.map(\.payload.count) == [15])
        #expect(rest.last?.type == 1)
        #expect(rest.last?.flags == HTTP2Frame.endStream | HTTP2Frame.endHeaders)
    }

    @Test("content is accepted up to the capacity, and the writer is notified when there is room again")
    func room() throws {
        let server = try MemoryServer(settings: [(4, 100)])
        let stream = try server.open(.post, hasContent: true)
        let content = Array(repeating: UInt8(7), count: 1 << 20)
        let count = content.withUnsafeBytes { server.session.send($0, on: stream) } ?? 0
        #expect(count < 200_000)
        #expect(content.withUnsafeBytes { server.session.send($0, on: stream) } == 0)
        _ = server.session.takeSignalled()
        server.receive([.windowUpdate(1 << 16, stream: 1)])
        _ = server.frames()
        #expect(server.session.takeSignalled().contains { $0 === stream })
    }

    @Test("a refused stream, or one above a GOAWAY's last stream, was not processed (RFC 9113 §8.7)")
    func unprocessed() throws {
        let server = try MemoryServer()
        let streams = [try server.open(), try server.open(), try server.open()]
        _ = server.frames()
        server.receive([.reset(7, stream: 1), .goAway(last: 3)])
        let failures = streams.map { StreamTranscript($0).failure }
        #expect(failures[0]?.isUnprocessed == true)
        #expect(failures[1] == nil)
        #expect(failures[2]?.isUnprocessed == true)
        #expect(server.session.isRetired)
        #expect(server.session.capacity == 0)
        server.receive([.ok(stream: 3), .data("ok", end: true, stream: 3)])
        #expect(StreamTranscript(streams[1]).text == "ok")
    }

    @Test("HTTP_1_1_REQUIRED requires HTTP/1.1 (RFC 9113 §7)")
    func http11Required() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.reset(13)])
        #expect(StreamTranscript(stream).failure?.requiresHTTP1 == true)
    }

    @Test("the capacity follows SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113 §5.1.2)")
    func capacity() throws {
        let server = try MemoryServer(settings: nil)
        #expect(server.session.capacity == 100)
        server.receive([.settings([(3, 2)])])
        #expect(server.session.capacity == 2)
        server.receive([.settings([(3, 1_000_000)])])
        // Half of 128 MiB has room for the first 64 KiB of this many.
        #expect(server.session.capacity == 1_024)
        server.receive([.settings([(3, 0)])])
        #expect(server.session.capacity == 0)
    }

    @Test("a reset discards later frames of the stream and keeps the connection (RFC 9113 §5.4.2)")
    func reset() throws {
        let server = try MemoryServer()
        let first = try server.open()
        let second = try server.open()
        _ = server.frames()
        server.receive([.ok()])
        server.session.reset(first)
        #expect(server.frames().map { [UInt32($0.type), $0.stream, $0.number] } == [[3, 1, 8]])
        server.receive([.data(Array(repeating: 1, count: 10_000), end: true)])
        server.receive([.ok(stream: 3), .data("ok", end: true, stream: 3)])
        #expect(StreamTranscript(second).text == "ok")
        #expect(server.session.failure == nil)
    }

    @Test("connection fields are not sent, and secrets are never indexed (RFC 9113 §8.2.2, RFC 7541 §7.1.3)")
    func requestFields() throws {
        let server = try MemoryServer()
        var head = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "")
        for (name, value) in [("connection", "close"), ("te", "gzip"), ("authorization", "zzz"), ("X-Q", "1")] {
            head.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        _ = try server.session.open(HTTP2RequestHead(head))
        let block = try #require(server.frames().first).payload
        // Huffman coding would hide literals. These strings get longer by it, or are indexed names.
        #expect(!String(decoding: block, as: UTF8.self).contains("close"))
        // RFC 7541 §6.2.3: a field that is never indexed begins with 0001; "authorization" is entry 23.
        #expect(block.contains([0x1F, 0x08]))
    }

    @Test(
        "a head that a gateway could translate into two requests is rejected (RFC 9113 §10.3)",
        arguments: ["/a b", "/a\r\nx: y", "/a\u{0}b"]
    )
    func injection(_ path: String) throws {
        let server = try MemoryServer()
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: path)
        #expect(throws: HTTP2Failure.self) { try server.session.open(HTTP2RequestHead(head)) }
    }

    @Test("extended CONNECT names its protocol, and content flows both ways (RFC 8441)")
    func extendedConnect() throws {
        let server = try MemoryServer(settings: [(8, 1)])
        #expect(server.session.allowsExtendedConnect)
        let head = HTTPRequest(method: .connect, scheme: "https", authority: "a.example", path: "/chat")
        let stream = try server.session.open(
            HTTP2RequestHead(head, hasContent: true, protocolName: "websocket")
        ).stream
        #expect(server.frames().first?.flags == HTTP2Frame.endHeaders)
        server.receive([.ok(), .data("from the server")])
        #expect(StreamTranscript(stream).text == "from the server")
        #expect(Array("x".utf8).withUnsafeBytes { server.session.send($0, on: stream) } == 1)
        #expect(server.frames().map(\.payload).contains(Array("x".utf8)))
    }

    @Test("a PING is acknowledged, and an acknowledgement is matched by its number (RFC 9113 §6.7)")
    func ping() throws {
        let server = try MemoryServer()
        server.receive([.ping])
        #expect(server.frames().map(\.flags) == [1])
        let number = server.session.ping()
        let ping = try #require(server.frames().first)
        #expect(server.session.acknowledgedPing < number)
        server.receive([HTTP2Frame(type: 6, flags: 1, payload: ping.payload)])
        #expect(server.session.acknowledgedPing == number)
    }

    @Test("a change of priority sends a PRIORITY_UPDATE frame (RFC 9218 §7.1)")
    func priority() throws {
        let server = try MemoryServer(settings: [(9, 1)])
        let stream = try server.open()
        _ = server.frames()
        server.session.updatePriority(of: stream, "u=1")
        let frame = try #require(server.frames().first)
        #expect(frame.type == 16)
        #expect(frame.payload == [0, 0, 0, 1] + Array("u=1".utf8))
    }
}
