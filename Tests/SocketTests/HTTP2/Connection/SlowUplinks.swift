import AirframeTestSupport
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("The keepalive of an HTTP/2 connection whose server accepts content slowly", .timeLimit(.minutes(1)))
struct SlowUplinks {
    /// The interval of the keepalive, and its timeout.
    private static let hour: Int64 = 3_600_000_000_000

    private let server: FedConnection
    private var connection: HTTP2Connection { server.connection }

    init() throws {
        server = try FedConnection(keepAlive: HTTP2KeepAlive(interval: .seconds(3_600), timeout: .seconds(3_600)))
        server.openWindows()
    }

    /// Writes content until the socket has no room. Returns the upload.
    private func fill() throws -> HTTP2Stream {
        let upload = try server.open(content: .unknown)
        let content = [UInt8](repeating: 1, count: 64 << 10)
        for _ in 0..<1_000 where !isFull { _ = content.withUnsafeBytes { upload.write($0) } }
        try #require(isFull)
        return upload
    }

    /// Whether written content waits for room in the socket.
    private var isFull: Bool { connection.state.withLock { $0.isWriting && $0.session.output.count > 0 } }

    /// Reads up to `count` bytes of the content. Returns how many there were.
    @discardableResult
    private func drain(_ count: Int) -> Int {
        var buffer = [UInt8](repeating: 0, count: count)
        let result = buffer.withUnsafeMutableBytes { server.otherEnd.read(into: $0) }
        return if case .bytes(let read) = result { read } else { 0 }
    }

    private var hasFailed: Bool { connection.state.withLock { $0.session.failure != nil } }

    /// Lets the keepalive send a PING, one interval after the last bytes arrived. Returns when its timeout has passed.
    private func ping() -> Int64 {
        let start = connection.state.withLock { $0.receivedAt }
        connection.tend(at: start + Self.hour)
        #expect(connection.state.withLock { $0.pingedAt } == start + Self.hour)
        return start + 2 * Self.hour
    }

    @Test("a server that accepts nothing after a PING is dead")
    func dead() throws {
        let upload = try fill()
        connection.tend(at: ping())
        #expect(connection.state.withLock { $0.session.failure?.message.contains("PING") == true })
        withExtendedLifetime(upload) {}
    }

    @Test("bytes that the server has accepted since the PING prove that it is alive, once")
    func accepted() throws {
        let upload = try fill()
        let end = ping()
        #expect(drain(100 << 10) > 64 << 10)
        connection.tend(at: end)
        #expect(!hasFailed)
        connection.tend(at: end + Self.hour)
        connection.tend(at: end + 2 * Self.hour)
        #expect(hasFailed)
        withExtendedLifetime(upload) {}
    }

    @Test("content that refills the socket does not hide what the server has accepted")
    func refilled() async throws {
        let upload = try fill()
        let written = connection.state.withLock { $0.writtenCount }
        let end = ping()
        let (connection, otherEnd) = (connection, server.otherEnd)
        let content = [UInt8](repeating: 1, count: 64 << 10)
        try await eventually("the socket has been refilled") {
            var buffer = content
            _ = buffer.withUnsafeMutableBytes { otherEnd.read(into: $0) }
            _ = content.withUnsafeBytes { upload.write($0) }
            return connection.state.withLock { $0.writtenCount &- written > 256 << 10 }
        }
        connection.tend(at: end)
        #expect(!hasFailed)
        withExtendedLifetime(upload) {}
    }
}
