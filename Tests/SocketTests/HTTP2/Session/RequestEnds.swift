import AirframeConformance
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("The end of a request without room (RFC 9113 §6.9.1)", .timeLimit(.minutes(1)))
struct RequestEnds {
    private let server: MemoryServer
    private let stream: HTTP2StreamState

    init() throws {
        server = try MemoryServer(settings: [(4, 10)])
        stream = try server.open(.post, hasContent: true)
    }

    private func send(_ count: Int) {
        let content = Array(repeating: UInt8(7), count: count)
        #expect(content.withUnsafeBytes { server.session.send($0, on: stream) } == count)
    }

    @Test("leaves with the last content")
    func together() {
        send(10)
        server.session.finish(stream, trailers: nil)
        #expect(server.frames().last?.flags == HTTP2Frame.endStream)
        #expect(!server.session.isUnfinished(stream))
        server.session.finish(stream, trailers: nil)
        #expect(server.frames().isEmpty)
        server.receive([.ok(), .data("ok", end: true)])
        #expect(server.session.streamCount == 0)
    }

    @Test("waits for credit if the content has left before")
    func alone() {
        send(10)
        #expect(server.frames().last?.flags == 0)
        server.session.finish(stream, trailers: nil)
        #expect(server.frames().isEmpty)
        #expect(server.session.isUnfinished(stream))
        server.receive([.windowUpdate(1, stream: 1)])
        #expect(!server.session.isUnfinished(stream))
        #expect(server.frames().last?.flags == HTTP2Frame.endStream)
    }

    @Test("follows content, for which there is room, without credit")
    func content() {
        send(5)
        server.session.finish(stream, trailers: nil)
        #expect(server.session.isUnfinished(stream))
        #expect(server.frames().last?.flags == HTTP2Frame.endStream)
        #expect(!server.session.isUnfinished(stream))
    }
}
