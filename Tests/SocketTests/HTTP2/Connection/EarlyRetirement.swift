import AirframeConformance
import Testing

@testable import AirframeSocket

/// The server's SETTINGS may be awaited before the pool listens to a connection, because they declare extended CONNECT.
@Suite("HTTP/2 connections that end before the pool listens to them", .timeLimit(.minutes(1)))
struct EarlyRetirement {
    private let server: FedConnection

    init() throws { server = try FedConnection() }

    @Test("a GOAWAY is reported (RFC 9113 §6.8)")
    func goAway() {
        server.receive([.goAway(last: 0)])
        let changes = server.start()
        guard changes.count == 1, case .retired = changes[0] else {
            Issue.record("reported: \(changes)")
            return
        }
    }

    @Test("the end of the connection is reported")
    func end() {
        server.end()
        let changes = server.start()
        guard changes.count == 1, case .closed = changes[0] else {
            Issue.record("reported: \(changes)")
            return
        }
    }

    @Test("nothing is reported of a connection that is open")
    func open() {
        #expect(server.start().isEmpty)
    }
}
