import AirframeConformance
import Testing

@testable import AirframeSocket

@Suite("How many tasks a read of an HTTP/2 connection resumes", .timeLimit(.minutes(1)))
struct Resumptions {
    @Test("each task that waits for input of its stream counts, and no other")
    func count() throws {
        let server = try FedConnection()
        let streams = try (0..<4).map { _ in try server.open() }
        let states = try streams.map { try #require($0.state) }
        // The first one reads for all, the fourth does not wait.
        guard case .mustRead = server.connection.beginWait(states[0], spins: false) else {
            Issue.record("there is another reader")
            return
        }
        for state in states[1...2] {
            guard case .mustPark = server.connection.beginWait(state, spins: false) else {
                Issue.record("the stream does not wait")
                return
            }
        }
        let ids: [UInt32] = [1, 3, 5, 7]
        #expect(server.receive(ids.map { .ok(stream: $0) }) == 2)
        #expect(server.receive(ids.map { .data("end", end: true, stream: $0) }) == 0)
        #expect(streams.map(\.hasInput) == [true, true, true, true])
    }
}
