import AirframeConformance
import Testing

@testable import AirframeSocket

/// A server that obeys the windows of the connection and of the streams (RFC 9113 §5.2), in memory.
private final class WindowedServer {
    let server: MemoryServer
    /// The connection's window.
    private var connectionRoom: Int
    /// The windows of the open streams.
    private var rooms: [UInt32: Int] = [:]
    private var pings: [HTTP2Frame] = []

    init(_ limits: HTTP2Limits) throws {
        server = try MemoryServer(limits, settings: [(3, 1_000)])
        // The session announces this with its preface.
        connectionRoom = 2 * limits.connectionWindow
    }

    /// Opens a stream and answers its request.
    func open() throws -> HTTP2StreamState {
        let stream = try server.open()
        rooms[UInt32(stream.id)] = stream.grantedWindow
        receive()
        server.receive([.ok(stream: UInt32(stream.id))])
        return stream
    }

    /// Sends content as the windows allow. Returns the number of bytes.
    @discardableResult
    func send(_ count: Int = .max, on stream: HTTP2StreamState) -> Int {
        let id = UInt32(stream.id)
        let total = min(count, rooms[id] ?? 0, connectionRoom)
        var rest = total
        while rest > 0 {
            let size = min(rest, 16 << 10)
            server.receive([.data(Array(repeating: 1, count: size), stream: id)])
            rest -= size
        }
        rooms[id]? -= total
        connectionRoom -= total
        receive()
        return total
    }

    /// Pulls content and returns its credit. Returns the number of bytes.
    @discardableResult
    func pull(_ stream: HTTP2StreamState) -> Int {
        let count = StreamTranscript(stream).content.count
        server.session.returnCredit(for: stream)
        receive()
        return count
    }

    /// Enlarges the window of a stream as far as the session allows.
    func grow(_ stream: HTTP2StreamState) {
        for _ in 0..<30 {
            send(on: stream)
            pull(stream)
            // The acknowledgement arrives after one window of content.
            send(on: stream)
            for ping in pings { server.receive([HTTP2Frame(type: 6, flags: 1, payload: ping.payload)]) }
            pings = []
            pull(stream)
        }
    }

    private func receive() {
        for frame in server.frames() {
            switch (frame.type, frame.stream) {
            case (6, _) where frame.flags == 0: pings.append(frame)
            case (8, 0): connectionRoom += Int(frame.number)
            case (8, let stream): rooms[stream]? += Int(frame.number)
            default: break
            }
        }
    }
}

@Suite("Readers of an HTTP/2 connection that do not pull", .timeLimit(.minutes(1)))
struct SleepingReaders {
    private static let limits = HTTP2Limits(
        connectionWindow: 1 << 20, streamWindow: 64 << 10, largestStreamWindow: 1 << 20)

    @Test("never use up the connection's credit, even with grown windows, and hold no more than the limit")
    func starvation() throws {
        let peer = try WindowedServer(Self.limits)
        let downloads = [try peer.open(), try peer.open()]
        for download in downloads {
            peer.grow(download)
            #expect(peer.send(on: download) == download.grantedWindow)
        }
        #expect(downloads[0].grantedWindow >= 256 << 10)
        let unread = try peer.open()
        #expect(peer.send(on: unread) == 64 << 10)
        let active = try peer.open()
        for _ in 0..<200 {
            #expect(peer.send(16 << 10, on: active) == 16 << 10)
            #expect(peer.pull(active) == 16 << 10)
        }
        #expect(peer.server.session.failure == nil)
        #expect(peer.server.session.windows.reserved <= Self.limits.connectionWindow)
    }

    @Test("leave room for the first windows of all streams, however much the others have grown")
    func room() throws {
        let peer = try WindowedServer(Self.limits)
        peer.grow(try peer.open())
        while peer.server.session.streamCount < peer.server.session.capacity { _ = try peer.open() }
        #expect(peer.server.session.windows.reserved <= Self.limits.connectionWindow)
    }

    @Test("a window that has grown makes room for others once its stream has ended and its content is credited")
    func release() throws {
        let peer = try WindowedServer(Self.limits)
        let first = try peer.open()
        peer.grow(first)
        let size = first.grantedWindow
        peer.send(on: first)
        peer.server.session.reset(first)
        let second = try peer.open()
        peer.grow(second)
        // The unread content of the first one is still held.
        #expect(second.grantedWindow < size)
        first.discardContent()
        peer.server.session.returnCredit(for: first)
        peer.grow(second)
        #expect(second.grantedWindow >= size)
    }

    static let sizes: [HTTP2Limits] = [
        HTTP2Limits(), HTTP2Limits(connectionWindow: 0), HTTP2Limits(connectionWindow: .max),
        HTTP2Limits(connectionWindow: 100_000), HTTP2Limits(connectionWindow: 300_000, streamWindow: 299_999),
        HTTP2Limits(connectionWindow: 1 << 20, streamWindow: 1 << 20, largestStreamWindow: .max),
    ]

    @Test("the first windows and the growth of any limits fit into the connection's window", arguments: sizes)
    func partition(_ limits: HTTP2Limits) {
        #expect(limits.streamCapacity >= 1)
        #expect(limits.growthCapacity >= 0)
        #expect(limits.streamCapacity * limits.streamWindow + limits.growthCapacity == limits.connectionWindow)
        #expect((limits.streamWindow...limits.connectionWindow).contains(limits.largestStreamWindow))
    }
}
