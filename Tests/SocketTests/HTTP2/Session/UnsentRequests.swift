import AirframeConformance
import AirframeSocket
import HTTPTypes
import Testing

/// libnghttp2 queues requests that are more than the server allows.
@Suite("requests that were never sent", .timeLimit(.minutes(1)))
struct UnsentRequests {
    @Test(
        "a GOAWAY fails requests that wait until the server allows more streams (RFC 9113 §6.8)",
        arguments: [UInt32(1), 0x7FFF_FFFF])
    func goAway(last: UInt32) throws {
        let server = try MemoryServer(settings: [(3, 1)])
        let sent = try server.open(.post)
        let queued = try server.open(.post)
        #expect(server.frames().filter { $0.type == 1 }.map(\.stream) == [1])
        server.receive([.goAway(last: last)])
        #expect(server.session.takeSignalled().contains { $0 === queued })
        #expect(StreamTranscript(queued).failure?.isUnprocessed == true)
        #expect(server.session.streamCount == 1)
        server.receive([.ok(), .data("ok", end: true)])
        #expect(StreamTranscript(sent).text == "ok")
        #expect(!server.frames().contains { $0.type == 1 })
        #expect(server.session.failure == nil)
    }

    @Test("a GOAWAY fails a request whose content waits with it, and its writer")
    func content() throws {
        let server = try MemoryServer(settings: [(3, 0)])
        let queued = try server.open(.post, hasContent: true)
        let content = Array(repeating: UInt8(7), count: 1 << 20)
        _ = content.withUnsafeBytes { server.session.send($0, on: queued) }
        #expect(server.frames().isEmpty)
        server.receive([.goAway(last: 0)])
        #expect(StreamTranscript(queued).failure?.isUnprocessed == true)
        #expect(content.withUnsafeBytes { server.session.send($0, on: queued) } == nil)
    }

    @Test("if the connection ends, a request that was sent may have been processed, and no other (RFC 9113 §8.7)")
    func end() throws {
        let server = try MemoryServer(settings: [(3, 1)])
        let sent = try server.open(.post)
        let queued = try server.open(.post)
        _ = server.frames()
        server.session.finish("the connection was lost")
        #expect(StreamTranscript(sent).failure?.isUnprocessed == false)
        #expect(StreamTranscript(queued).failure?.isUnprocessed == true)
    }

    @Test("a request for a connection that has failed was not processed")
    func failedConnection() throws {
        let server = try MemoryServer()
        server.session.finish("the connection was lost")
        let failure = #expect(throws: HTTP2Failure.self) { try server.open(.post) }
        #expect(failure?.isUnprocessed == true)
        #expect(failure?.message == "the connection was lost")
    }
}
