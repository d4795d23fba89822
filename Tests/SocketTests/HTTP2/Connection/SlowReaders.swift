import AirframeConformance
import AirframeTestSupport
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("The keepalive of an HTTP/2 connection whose reader does not run", .timeLimit(.minutes(1)))
struct SlowReaders {
    @Test("unread bytes prove that the server is alive, and silence ends the connection")
    func unread() async throws {
        let keepAlive = HTTP2KeepAlive(interval: .milliseconds(1), timeout: .milliseconds(200))
        let server = try FedConnection(keepAlive: keepAlive)
        let connection = server.connection
        let stream = try server.open()
        let state = try #require(stream.state)
        // The stream is the reader, and its task does not run, as on an executor that is busy.
        guard case .mustRead = connection.beginWait(state, spins: false) else {
            Issue.record("there is another reader")
            return
        }
        try server.send([.ping])
        for _ in 0..<100 {
            connection.tend()
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(connection.state.withLock { $0.session.failure } == nil)
        connection.read()
        #expect(connection.state.withLock { $0.session.failure } == nil)
        try await eventually("the silence ends the connection") {
            connection.tend()
            return connection.state.withLock { $0.session.failure?.message.contains("PING") == true }
        }
        // The server's end of the socket stays open until here.
        withExtendedLifetime(server) {}
    }
}
