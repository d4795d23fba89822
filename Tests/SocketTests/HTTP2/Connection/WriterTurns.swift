import AirframeTestSupport
import Foundation
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("The turn of the task that writes an HTTP/2 connection", .timeLimit(.minutes(1)))
struct WriterTurns {
    /// A thread that refills the content of a stream and drains the other end of the socket.
    private final class Refiller: Sendable {
        let refilledCount = Atomic(0)
        let drainedCount = Atomic(0)
        let isOver = Signal()

        func start(_ connection: HTTP2Connection, _ otherEnd: Socket, _ state: HTTP2StreamState, limit: Int) {
            Foundation.Thread.detachNewThread { [self] in
                let content = [UInt8](repeating: 1, count: 64 << 10)
                var buffer = [UInt8](repeating: 0, count: 256 << 10)
                while !isOver.isUp {
                    if refilledCount.load(ordering: .relaxed) < limit {
                        let count = content.withUnsafeBytes { bytes in
                            connection.state.withLock { $0.session.send(bytes, on: state) } ?? 0
                        }
                        refilledCount.add(count, ordering: .releasing)
                    }
                    while case .bytes(let count) = buffer.withUnsafeMutableBytes({ otherEnd.read(into: $0) }) {
                        drainedCount.add(count, ordering: .releasing)
                    }
                }
            }
        }
    }

    @Test("ends although an upload refills the output, and another task continues")
    func refilled() async throws {
        let server = try FedConnection()
        server.openWindows()
        let connection = server.connection
        let upload = try server.open(content: .unknown)
        let limit = 2 << 30
        let refiller = Refiller()
        defer { refiller.isOver.raise() }
        refiller.start(connection, server.otherEnd, try #require(upload.state), limit: limit)
        try await eventually("there is content") { refiller.refilledCount.load(ordering: .acquiring) > 0 }
        for _ in 0..<20 { connection.flush(.immediate) }
        // No turn lasted until the whole upload was written.
        let target = refiller.refilledCount.load(ordering: .acquiring)
        #expect(target < limit)
        try await eventually("all content that was accepted is written") {
            connection.flush(.immediate)
            return refiller.drainedCount.load(ordering: .acquiring) >= target
        }
        withExtendedLifetime((server, upload)) {}
    }
}
