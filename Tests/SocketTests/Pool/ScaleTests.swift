import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Scale", .timeLimit(.minutes(1)))
struct ScaleTests {
    @Test("800 concurrent requests are in flight, and all are answered")
    func held() async throws {
        let gate = Signal()
        let count = 800
        let server = try ScriptedServer { connection in
            try connection.readHead()
            gate.wait()
            try connection.respond(fields: ["Connection: close"], body: "ok")
        }
        let transport = SocketTransport()
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await transport.fetch(TransportRequest(.get, server.origin)).body.count }
            }
            #expect(try await eventually { transport.statistics.busyConnectionCount == count })
            gate.raise()
            return try await group.reduce(0, +)
        }
        #expect(answers == 2 * count)
        #expect(transport.statistics.connectionCount == 0)
    }

    @Test("5,000 requests on few connections are answered, for tasks on and off the reactor", arguments: [1, 3])
    func many(reactorCount: Int) async throws {
        let server = try ScriptedServer.answering()
        var configuration = SocketTransport.Configuration()
        configuration.reactorCount = reactorCount
        let transport = SocketTransport(configuration: configuration)
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<20 {
                group.addTask(executorPreference: task.isMultiple(of: 2) ? transport.executor : nil) {
                    var total = 0
                    for _ in 0..<250 {
                        total += try await transport.fetch(TransportRequest(.get, server.origin)).body.count
                    }
                    return total
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 2 * 20 * 250)
        #expect(server.connections.count <= 20)
    }
}
