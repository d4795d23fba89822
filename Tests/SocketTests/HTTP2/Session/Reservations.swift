import AirframeConformance
import Testing

@testable import AirframeSocket

/// The windows of all streams fit into the connection's (decision 58).
@Suite("windows of streams with unread content", .timeLimit(.minutes(1)))
struct Reservations {
    private static let window = 64 << 10

    private let server: MemoryServer

    init() throws {
        let limits = HTTP2Limits(
            connectionWindow: 1 << 20, streamWindow: Self.window, largestStreamWindow: 256 << 10)
        server = try MemoryServer(limits)
    }

    private func data(_ count: Int, end: Bool = false, stream: UInt32) -> [HTTP2Frame] {
        let piece = Array(repeating: UInt8(1), count: 16 << 10)
        let last = count / piece.count
        return (1...last).map { HTTP2Frame.data(piece, end: end && $0 == last, stream: stream) }
    }

    /// Opens a stream and receives a whole response that fills its window.
    private func receiveResponse() throws -> HTTP2StreamState {
        let stream = try server.open()
        _ = server.frames()
        let id = UInt32(stream.id)
        server.receive([HTTP2Frame.ok(stream: id)] + data(Self.window, end: true, stream: id))
        return stream
    }

    @Test("a response that has ended keeps the window that its content fills until it is credited")
    func unread() throws {
        let streams = try (0..<8).map { _ in try receiveResponse() }
        #expect(server.session.streamCount == 0)
        #expect(server.session.windows.reserved == 8 * Self.window)
        for stream in streams[..<4] {
            #expect(StreamTranscript(stream).content.count == Self.window)
            server.session.returnCredit(for: stream)
        }
        #expect(server.session.windows.reserved == 4 * Self.window)
        for stream in streams[4...] {
            #expect(stream.discardContent() == Self.window)
            server.session.returnCredit(for: stream)
        }
        #expect(server.session.windows.reserved == 0)
        #expect(server.session.failure == nil)
    }

    @Test("a response whose content was credited before its end keeps nothing")
    func read() throws {
        let stream = try server.open()
        _ = server.frames()
        server.receive([HTTP2Frame.ok()] + data(32 << 10, stream: 1))
        #expect(StreamTranscript(stream).content.count == 32 << 10)
        server.session.returnCredit(for: stream)
        server.receive([.data("", end: true)])
        #expect(server.session.streamCount == 0)
        #expect(server.session.windows.reserved == 0)
    }

    @Test("if a stream is reset during a read, content is credited once, whether it was pulled or not")
    func resetDuringRead() throws {
        let stream = try server.open()
        _ = server.frames()
        server.receive([HTTP2Frame.ok()] + data(16 << 10, stream: 1))
        // The reader has pulled this, and has not returned its credit.
        #expect(StreamTranscript(stream).content.count == 16 << 10)
        server.receive(data(32 << 10, stream: 1))
        #expect(stream.uncreditedCount == 16 << 10)
        stream.discardContent()
        #expect(stream.uncreditedCount == 48 << 10)
        server.session.returnCredit(for: stream)
        server.session.reset(stream)
        #expect(stream.uncreditedCount == 0)
        #expect(server.session.windows.reserved == 0)
    }
}
