import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("Retries after a kept connection was closed", .timeLimit(.minutes(1)))
struct RepetitionTests {
    /// A server whose first connection answers once, reads a second request and then ends. Later connections answer.
    private func server(ending: @escaping @Sendable (ScriptedConnection) -> Void) throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
            guard connection.index == 0 else { return _ = try? connection.readToEnd() }
            try connection.readRequest()
            ending(connection)
        }
    }

    static let endings: [(name: String, end: @Sendable (ScriptedConnection) -> Void)] = [
        ("closed", { $0.close() }), ("reset", { $0.reset() }),
    ]

    @Test(
        "an idempotent request is retried once, on a new connection, and an event reports it (RFC 9110 §9.2.2)",
        arguments: 0..<2
    )
    func repeated(ending: Int) async throws {
        let server = try server(ending: Self.endings[ending].end)
        let transport = SocketTransport()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let log = EventLog()
        let (response, body) = try await transport.fetch(TransportRequest(.get, server.origin).with { $0.events = log })
        #expect(body == Data("ok".utf8))
        #expect(response.connection?.isReused == false)
        let isReported = log.events.contains { event in
            if case .decided(let decision) = event.kind, case .retried(attempt: 2) = decision.kind {
                true
            } else {
                false
            }
        }
        #expect(isReported)
        #expect(log.endCount == 1)
        #expect(server.connections.count == 2)
    }

    @Test("a request that is not idempotent fails with unknown processing (RFC 9110 §9.2.2)", arguments: 0..<2)
    func notRepeated(ending: Int) async throws {
        let server = try server(ending: Self.endings[ending].end)
        let transport = SocketTransport()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let request = TransportRequest(.post, server.origin, body: .bytes(Data("order".utf8)))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .connectionLost)
        #expect(error.processing == .unknown)
        #expect(error.message.contains("POST"))
        #expect(server.connections.count == 1)
    }

    @Test("the first request on a connection that was opened in advance is retried as well", arguments: 0..<2)
    func repeatedAfterPreparation(ending: Int) async throws {
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            guard connection.index > 0 else { return Self.endings[ending].end(connection) }
            try connection.respond(body: "ok")
        }
        let transport = SocketTransport()
        _ = try await transport.prepare(TransportRequest(.get, server.origin))
        #expect(try await transport.text(TransportRequest(.get, server.origin)) == "ok")
        #expect(server.connections.count == 2)
    }

    @Test("a retry replaces the dead connection, and does not use another kept connection")
    func repeatedInItsPlace() async throws {
        // The server closes every connection at its second request.
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
            try connection.readRequest()
        }
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnections = 1
        let transport = SocketTransport(configuration: configuration)
        let failures = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<50 { group.addTask { await transport.failure(of: TransportRequest(.get, server.origin)) } }
            return await group.reduce(into: [TransportError]()) { failures, error in
                if let error { failures.append(error) }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test("if the second attempt reaches no server, the processing of the first is still unknown")
    func unreachableAfterwards() async throws {
        let stopping = Stopping()
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
            try connection.readRequest()
            // The listener is closed before the connection ends.
            stopping.stop()
        }
        stopping.server = server
        let transport = SocketTransport()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let error = try #require(await transport.failure(of: TransportRequest(.get, server.origin)))
        #expect(error.code == .connectFailed)
        #expect(error.processing == .unknown)
    }

    @Test("a one-shot body is not sent twice")
    func oneShot() async throws {
        let server = try server { $0.close() }
        let transport = SocketTransport()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let body = RequestBody.oneShot(length: 1, ChunkSource(["a"]))
        let error = try #require(await transport.failure(of: TransportRequest(.put, server.origin, body: body)))
        #expect(error.code == .bodyNotReplayable)
    }

    @Test("a request is not retried after a byte of its response has arrived")
    func begun() async throws {
        let server = try server { connection in
            try? connection.send("HTTP/1.1 2")
            connection.close()
        }
        let transport = SocketTransport()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(await transport.failure(of: TransportRequest(.get, server.origin))?.code == .connectionLost)
        #expect(server.connections.count == 1)
    }

    @Test("a connection that was closed while idle is detected before anything is sent")
    func closedWhileIdle() async throws {
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
        }
        let transport = SocketTransport()
        for _ in 0..<5 {
            let request = TransportRequest(.post, server.origin, body: .bytes(Data("order".utf8)))
            #expect(try await transport.text(request) == "ok")
            try await Task.sleep(for: .milliseconds(30))
        }
        #expect(server.connections.count == 5)
        #expect(server.failures.isEmpty)
    }

    @Test("an unsolicited response is not read as the response to the next request")
    func surplus() async throws {
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
            connection.pause(.milliseconds(20))
            try? connection.respond(body: "poison")
            _ = try? connection.readToEnd()
        }
        let transport = SocketTransport()
        #expect(try await transport.text(TransportRequest(.get, server.origin)) == "ok")
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await transport.text(TransportRequest(.get, server.origin)) == "ok")
        #expect(server.connections.count == 2)
    }
}

/// A server that its script can stop.
private final class Stopping: Sendable {
    private let running = Mutex<ScriptedServer?>(nil)

    var server: ScriptedServer? {
        get { running.withLock { $0 } }
        set { running.withLock { $0 = newValue } }
    }

    /// Stops and releases the server, whose script holds this object.
    func stop() {
        server?.stop()
        server = nil
    }
}
