import AirframeConformance
import AirframeSocket
import FoundationEssentials
import Testing

@Suite("flow control of an HTTP/2 session (RFC 9113 §5.2)", .timeLimit(.minutes(1)))
struct Windows {
    private let limits = HTTP2Limits(connectionWindow: 1 << 20, streamWindow: 64 << 10, largestStreamWindow: 256 << 10)

    private func data(_ count: Int, stream: UInt32 = 1, end: Bool = false) -> [HTTP2Frame] {
        var frames: [HTTP2Frame] = []
        var rest = count
        while rest > 0 {
            let size = min(rest, 16_384)
            rest -= size
            frames.append(.data(Array(repeating: 1, count: size), end: end && rest == 0, stream: stream))
        }
        return frames
    }

    @Test("credit is returned when the caller pulls, and not before")
    func credit() throws {
        let server = try MemoryServer(limits)
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()] + data(64 << 10))
        #expect(!server.frames().contains { $0.type == 8 })
        let content = StreamTranscript(stream).content
        #expect(content.count == 64 << 10)
        server.session.returnCredit(content.count, for: stream)
        let updates = server.frames().filter { $0.type == 8 && $0.stream == 1 }
        #expect(updates.reduce(0) { $0 + Int($1.number) } >= 64 << 10)
    }

    @Test("a server that exceeds the window ends the connection (RFC 9113 §6.9.1)")
    func overflow() throws {
        let server = try MemoryServer(limits)
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()] + data((64 << 10) + 1))
        let failure = StreamTranscript(stream).failure
        #expect(failure != nil)
        #expect(stream.hasInput)
    }

    @Test("sleeping readers occupy only their own windows")
    func stalled() throws {
        let server = try MemoryServer(limits, settings: [(3, 1_000)])
        var streams: [HTTP2StreamState] = []
        for _ in 0..<server.session.capacity { streams.append(try server.open()) }
        #expect(streams.count == 8)
        _ = server.frames()
        for stream in streams.dropLast() {
            server.receive([.ok(stream: UInt32(stream.id))] + data(64 << 10, stream: UInt32(stream.id)))
        }
        let last = try #require(streams.last)
        server.receive([.ok(stream: UInt32(last.id))])
        for _ in 0..<100 {
            server.receive(data(32 << 10, stream: UInt32(last.id)))
            let content = StreamTranscript(last).content
            #expect(content.count == 32 << 10)
            server.session.returnCredit(content.count, for: last)
            let granted = server.frames().filter { $0.type == 8 && $0.stream == UInt32(last.id) }
            #expect(!granted.isEmpty)
        }
        #expect(server.session.failure == nil)
    }

    @Test("content that is pulled late or discarded returns its credit to the connection")
    func connectionCredit() throws {
        let server = try MemoryServer(limits)
        var granted = 0
        for round in 0..<100 {
            let stream = try server.open()
            let id = UInt32(stream.id)
            granted += server.connectionCredit()
            server.receive([.ok(stream: id)] + data(64 << 10, stream: id))
            if round.isMultiple(of: 2) {
                server.session.returnCredit(StreamTranscript(stream).content.count, for: stream)
            } else {
                server.session.returnCredit(stream.discardContent(), for: stream)
            }
            server.session.reset(stream)
            granted += server.connectionCredit()
        }
        #expect(server.session.failure == nil)
        #expect(granted >= 90 * 64 << 10)
    }

    @Test("DATA on closed streams is credited, and empty DATA frames are a flood", arguments: [0, 1_000])
    func closedStreams(_ size: Int) throws {
        let server = try MemoryServer(limits)
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok(end: true)])
        #expect(StreamTranscript(stream).isWhole)
        var granted = 0
        for _ in 0..<1_500 {
            server.receive([.data(Array(repeating: 1, count: size))])
            granted += server.connectionCredit()
        }
        #expect(granted >= 1_400 * size / 2)
        for _ in 0..<1_500 { server.receive([.data(Array(repeating: 1, count: size))]) }
        #expect(server.session.failure != nil)
    }

    @Test("the window grows while it limits the rate of the content")
    func growth() throws {
        let server = try MemoryServer(limits)
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()])
        var window = 64 << 10
        for _ in 0..<40 {
            server.receive(data(window))
            server.session.returnCredit(StreamTranscript(stream).content.count, for: stream)
            window = 0
            for frame in server.frames() {
                if frame.type == 8, frame.stream == 1 { window += Int(frame.number) }
                if frame.type == 6, frame.flags == 0 {
                    // The acknowledgement arrives after one window of content.
                    server.receive(data(window))
                    server.receive([HTTP2Frame(type: 6, flags: 1, payload: frame.payload)])
                    server.session.returnCredit(StreamTranscript(stream).content.count, for: stream)
                    window = 0
                }
            }
            for frame in server.frames() where frame.type == 8 && frame.stream == 1 { window += Int(frame.number) }
        }
        #expect(server.session.failure == nil)
        #expect(stream.grantedWindow > 64 << 10)
        #expect(stream.grantedWindow <= 256 << 10)
    }
}
