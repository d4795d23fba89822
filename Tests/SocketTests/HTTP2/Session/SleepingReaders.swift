import Testing

@testable import AirframeSocket

@Suite("Readers of an HTTP/2 connection that do not pull", .timeLimit(.minutes(1)))
struct SleepingReaders {
    private static let limits = HTTP2Limits(
        connectionWindow: 1 << 20, streamWindow: 64 << 10, largestStreamWindow: 1 << 20)

    @Test("never use up the connection's credit, even with grown windows, and hold no more than the limit")
    func starvation() throws {
        let peer = try CreditedServer(Self.limits)
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
        let peer = try CreditedServer(Self.limits)
        peer.grow(try peer.open())
        while peer.server.session.streamCount < peer.server.session.capacity { _ = try peer.open() }
        #expect(peer.server.session.windows.reserved <= Self.limits.connectionWindow)
    }

    @Test("a window that has grown makes room for others once its stream has ended and its content is credited")
    func release() throws {
        let peer = try CreditedServer(Self.limits)
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
