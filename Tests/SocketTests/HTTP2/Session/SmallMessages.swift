import AirframeConformance
import AirframeSocket
import HTTPTypes
import Testing

@Suite("small messages over a tunnel", .timeLimit(.minutes(1)))
struct SmallMessages {
    @Test("a server that returns the credit for each message, twice, floods nothing (RFC 9113 §6.9)")
    func credit() throws {
        let server = try MemoryServer(settings: [(8, 1)])
        let head = HTTPRequest(method: .connect, scheme: "https", authority: "a.example", path: "/chat")
        let stream = try server.session.open(
            HTTP2RequestHead(head, hasContent: true, protocolName: "websocket")
        ).stream
        _ = server.frames()
        server.receive([.ok()])
        let message = Array("hello".utf8)
        var sentCount = 0
        // No time passes, which would earn tokens as well.
        for _ in 0..<5_000 {
            _ = message.withUnsafeBytes { server.session.send($0, on: stream) }
            sentCount += server.frames().filter { $0.type == 0 && $0.payload == message }.count
            server.receive([.windowUpdate(5, stream: 1), .windowUpdate(5)])
        }
        #expect(sentCount == 5_000)
        #expect(server.session.failure == nil)
    }
}
