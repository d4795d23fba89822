import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Limits of a configuration that are 0 or less", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    private func transport(_ change: (inout CurlTransport.Configuration) -> Void) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        change(&configuration)
        return CurlTransport(configuration: configuration)
    }

    @Test("no idle connection is kept", arguments: [0, -1])
    func idleConnections(count: Int) async throws {
        let server = try ScriptedServer.answering()
        let transport = transport { $0.maximumIdleConnections = count }
        for _ in 0..<3 {
            let log = EventLog()
            _ = try await transport.fetch(TransportRequest(.get, server.origin).with { $0.events = log })
            guard case .released(.closed) = log.events.last?.kind else {
                Issue.record("the connection was reported as kept")
                continue
            }
        }
        #expect(server.connections.count == 3)
    }

    @Test("there is one connection", arguments: [0, -1], [true, false])
    func connections(count: Int, isPerHost: Bool) async throws {
        let server = try ScriptedServer { connection in
            while true {
                try connection.readRequest()
                connection.pause(.milliseconds(10))
                try connection.respond(body: "ok")
            }
        }
        let transport = transport {
            if isPerHost { $0.maximumConnectionsPerHost = count } else { $0.maximumConnections = count }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await transport.fetch(TransportRequest(.get, server.origin)) } }
            try await group.waitForAll()
        }
        #expect(server.connections.count == 1)
    }

    @Test("a body is still delivered", arguments: [0, -1])
    func bodyBuffer(size: Int) async throws {
        let server = try ScriptedServer.answering(body: String(repeating: "x", count: 100_000))
        let transport = transport { $0.bodyBufferSize = size }
        let request = TransportRequest(.get, server.origin).with { $0.options.deadline = .seconds(20) }
        #expect(try await transport.fetch(request).body.count == 100_000)
    }
}
