import AirframeConformance
import AirframeTestSupport
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("How the background reads an HTTP/2 connection", .timeLimit(.minutes(1)))
struct BackgroundReads {
    @Test("bytes that are reported during the last read of a turn are read by the task that continues")
    func limit() async throws {
        let server = try FedConnection()
        let (connection, otherEnd, socket) = (server.connection, server.otherEnd, server.connection.bytes.socket)
        let stream = try server.open()
        let state = try #require(stream.state)
        connection.state.withLock { $0.reader = .background }
        guard case .mustPark = connection.beginWait(state, spins: false) else {
            Issue.record("the stream does not wait")
            return
        }
        // A turn has 16 reads. Each changes the limit on streams, upon which the next limit arrives, and the poll
        // reports it.
        let last = 17
        let limit = Atomic(0)
        let sendNext: @Sendable () -> Void = {
            let next = limit.add(1, ordering: .relaxed).newValue
            guard next <= last else { return }
            let bytes = HTTP2Frame.settings([(3, UInt32(next))]).bytes
            _ = bytes.withUnsafeBytes { otherEnd.write($0) }
            socket.restoreReadiness(for: .reading)
        }
        connection.start { _ in sendNext() }
        sendNext()
        _ = connection.readInBackground()
        try await eventually("the last limit is read") { connection.capacity == last }
        withExtendedLifetime((server, stream)) {}
    }
}
