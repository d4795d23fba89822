import AirframeConformance
import Testing

@testable import AirframeSocket

@Suite("Frames that a server may send without making progress (RFC 9113 §10.5)", .timeLimit(.minutes(1)))
struct LateContent {
    @Test(
        "content that was under way when its stream was reset is no flood, however small its frames; more than that is",
        arguments: [1_000, 100_000])
    func reset(pieceSize: Int) throws {
        let peer = try CreditedServer(HTTP2Limits(connectionWindow: 16 << 20, largestStreamWindow: 4 << 20))
        let (download, other) = (try peer.open(), try peer.open())
        peer.grow(download)
        let window = download.grantedWindow
        // In frames of 1 KiB, this is more than the budget of a new connection.
        try #require(window >= 3 << 20)
        peer.server.session.reset(download)
        _ = peer.server.frames()
        let frame = HTTP2Frame.data(Array(repeating: 1, count: 1 << 10), stream: UInt32(download.id))
        let bytes = Array(repeating: frame, count: window >> 10).bytes
        for start in stride(from: 0, to: bytes.count, by: pieceSize) {
            peer.server.receive(bytes: Array(bytes[start..<min(start + pieceSize, bytes.count)]))
        }
        #expect(peer.server.session.failure == nil)
        peer.server.receive([.data("ok", end: true, stream: UInt32(other.id))])
        #expect(StreamTranscript(other).text == "ok")
        var count = 0
        while peer.server.session.failure == nil, count < 10_000 {
            peer.server.receive([frame])
            count += 1
        }
        #expect(peer.server.session.failure?.message.contains("floods") == true)
    }

    @Test("the head and the end of a response that were under way when its stream was reset are no flood")
    func headAndEnd() throws {
        let server = try MemoryServer()
        // More than the budget of a new connection.
        for _ in 0..<3_000 {
            let stream = try server.open()
            let id = UInt32(stream.id)
            _ = server.frames()
            server.session.reset(stream)
            _ = server.frames()
            server.receive([.ok(stream: id), .data("", end: true, stream: id)])
        }
        #expect(server.session.failure == nil)
    }

    @Test("a reset allows one late head, and no flood of heads or ends")
    func headFlood() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.session.reset(stream)
        _ = server.frames()
        var count = 0
        while server.session.failure == nil, count < 10_000 {
            server.receive([.ok()])
            count += 1
        }
        #expect(server.session.failure?.message.contains("floods") == true)
    }

    @Test("late heads and ends are bounded, and expected for a minute")
    func boundedEnds() {
        let second: Int64 = 1_000_000_000
        var budget = HTTP2FrameBudget()
        budget.refill(at: second)
        for _ in 0..<100 { budget.expectLateEnd(hasHead: false, limit: 10) }
        var count = 0
        while budget.spendLateEnd() { count += 1 }
        #expect(count == 20)
        budget.expectLateEnd(hasHead: true, limit: 10)
        budget.refill(at: 2 * second)
        budget.refill(at: 61 * second)
        #expect(budget.expectsLateContent)
        budget.refill(at: 62 * second)
        #expect(!budget.expectsLateContent)
    }

    @Test("a reset allows no flood of tiny frames")
    func tinyFrames() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()])
        server.session.reset(stream)
        _ = server.frames()
        var count = 0
        while server.session.failure == nil, count < 10_000 {
            server.receive([.data("a")])
            count += 1
        }
        #expect(count < 10_000)
    }

    @Test("a read of small content does not end a connection with few tokens left", arguments: [1_700, 1_999])
    func fewTokens(spentCount: Int) throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()])
        server.receive(Array(repeating: HTTP2Frame.windowUpdate(1), count: spentCount))
        server.receive(Array(repeating: HTTP2Frame.data("a"), count: 512))
        #expect(server.session.failure == nil)
        #expect(StreamTranscript(stream).content.count == 512)
    }

    @Test("late content is expected for a minute")
    func patience() {
        let second: Int64 = 1_000_000_000
        var budget = HTTP2FrameBudget()
        budget.refill(at: second)
        budget.expectLateContent(1 << 20, limit: 1 << 24)
        budget.refill(at: 2 * second)
        budget.refill(at: 61 * second)
        #expect(budget.expectsLateContent)
        budget.refill(at: 62 * second)
        #expect(!budget.expectsLateContent)
    }
}
