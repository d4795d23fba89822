import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("The pool", .timeLimit(.minutes(1)))
struct PoolTests {
    private func transport(_ change: (inout SocketTransport.Configuration) -> Void) -> SocketTransport {
        var configuration = SocketTransport.Configuration()
        change(&configuration)
        return SocketTransport(configuration: configuration)
    }

    /// A server that answers each request after `gate` has been raised.
    private func gatedServer(_ gate: Signal) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                try connection.readRequest()
                gate.wait()
                try connection.respond(body: "ok")
            }
        }
    }

    @Test("a connection is reused, and the response says so")
    func reuse() async throws {
        let server = try ScriptedServer.answering()
        let transport = SocketTransport()
        let first = try await transport.fetch(TransportRequest(.get, server.origin)).response
        let second = try await transport.fetch(TransportRequest(.get, server.origin)).response
        #expect(first.connection?.isReused == false)
        #expect(second.connection?.isReused == true)
        #expect(first.connection?.id == second.connection?.id)
        #expect(server.connections.count == 1)
    }

    @Test("the limits on connections, to one host and in total, are kept", arguments: [true, false])
    func limits(perHost: Bool) async throws {
        let server = try ScriptedServer.answering()
        let transport = transport { configuration in
            if perHost { configuration.maximumConnectionsPerHost = 3 } else { configuration.maximumConnections = 3 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { _ = try await transport.fetch(TransportRequest(.get, server.origin)) }
            }
            try await group.waitForAll()
        }
        #expect(server.connections.count <= 3)
        #expect(transport.statistics.connectionCount <= 3)
        #expect(transport.statistics.waitingRequestCount == 0)
    }

    @Test("waiting requests are served in order of arrival")
    func fairness() async throws {
        let gate = Signal()
        let seen = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            while true {
                let path = try connection.readRequest().head.split(separator: " ")[1]
                seen.withLock { $0.append(String(path)) }
                gate.wait()
                try connection.respond()
            }
        }
        let transport = transport { $0.maximumConnectionsPerHost = 1 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10 {
                group.addTask { _ = try await transport.fetch(TransportRequest(.get, "\(server.origin)/\(index)")) }
                #expect(try await eventually { transport.statistics.waitingRequestCount == max(0, index) })
                if index == 0 { #expect(try await eventually { seen.withLock { $0.count } == 1 }) }
            }
            gate.raise()
            try await group.waitForAll()
        }
        #expect(seen.withLock { $0 } == (0..<10).map { "/\($0)" })
    }

    @Test("a waiter for another server is not overtaken by later requests that could use the free connection")
    func fairnessAmongServers() async throws {
        let gate = Signal()
        let seen = Mutex<[String]>([])
        @Sendable func serve(_ connection: ScriptedConnection) throws {
            while true {
                let path = try connection.readRequest().head.split(separator: " ")[1]
                seen.withLock { $0.append(String(path)) }
                gate.wait()
                try connection.respond()
            }
        }
        let servers = [try ScriptedServer(serve), try ScriptedServer(serve)]
        let transport = transport { $0.maximumConnections = 1 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                let url = "\(servers[index % 2].origin)/\(index)"
                group.addTask { _ = try await transport.fetch(TransportRequest(.get, url)) }
                #expect(try await eventually { transport.statistics.waitingRequestCount == max(0, index) })
                if index == 0 { #expect(try await eventually { seen.withLock { $0.count } == 1 }) }
            }
            gate.raise()
            try await group.waitForAll()
        }
        #expect(seen.withLock { $0 } == (0..<8).map { "/\($0)" })
        #expect(transport.statistics.connectionCount <= 1)
    }

    @Test("an expired connection is not granted to a waiter, which opens its own")
    func ageAmongWaiting() async throws {
        let server = try ScriptedServer.answering()
        let transport = transport {
            $0.maximumConnections = 1
            $0.connectionAge = .nanoseconds(1)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { _ = try await transport.fetch(TransportRequest(.get, server.origin)) }
            }
            try await group.waitForAll()
        }
        #expect(server.connections.count == 10)
        #expect(transport.statistics.connectionCount == 0)
    }

    @Test("a request beyond the limit on waiters fails immediately")
    func exhaustion() async throws {
        let gate = Signal()
        let server = try gatedServer(gate)
        let transport = transport {
            $0.maximumConnections = 1
            $0.maximumWaitingRequests = 1
        }
        async let first = transport.text(TransportRequest(.get, server.origin))
        #expect(try await eventually { transport.statistics.busyConnectionCount == 1 })
        async let second = transport.text(TransportRequest(.get, server.origin))
        #expect(try await eventually { transport.statistics.waitingRequestCount == 1 })
        let error = try #require(await transport.failure(of: TransportRequest(.get, server.origin)))
        #expect(error.code == .poolExhausted)
        #expect(error.phase == .pool)
        #expect(error.processing == .notSent)
        gate.raise()
        #expect(try await [first, second] == ["ok", "ok"])
    }

    @Test("a cancelled waiter leaves its place and its grant to the next")
    func abandonment() async throws {
        let gate = Signal()
        let server = try gatedServer(gate)
        let transport = transport { $0.maximumConnections = 1 }
        async let first = transport.text(TransportRequest(.get, server.origin))
        #expect(try await eventually { transport.statistics.busyConnectionCount == 1 })
        let waiting = Task { await transport.failure(of: TransportRequest(.get, server.origin)) }
        #expect(try await eventually { transport.statistics.waitingRequestCount == 1 })
        async let third = transport.text(TransportRequest(.get, server.origin))
        #expect(try await eventually { transport.statistics.waitingRequestCount == 2 })
        waiting.cancel()
        let error = try #require(await waiting.value)
        #expect(error.isCancellation)
        #expect(error.phase == .pool)
        gate.raise()
        #expect(try await [first, third] == ["ok", "ok"])
        #expect(transport.statistics.waitingRequestCount == 0)
    }

    @Test("under a total limit, an idle connection to one server is closed to make room for another server")
    func eviction() async throws {
        let (one, two) = (try ScriptedServer.answering(), try ScriptedServer.answering())
        let transport = transport { $0.maximumConnections = 1 }
        for server in [one, two, one] {
            #expect(try await transport.text(TransportRequest(.get, server.origin)) == "ok")
        }
        #expect(one.connections.count == 2)
        #expect(transport.statistics.connectionCount == 1)
    }

    @Test("idle connections are closed when they expire or exceed their limit")
    func age() async throws {
        let ended = Signal()
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
            connection.waitForEnd(ended)
        }
        let transport = transport { $0.idleConnectionAge = .milliseconds(300) }
        _ = try await transport.text(TransportRequest(.get, server.origin))
        #expect(transport.statistics.idleConnectionCount == 1)
        #expect(try await eventually { ended.isUp })
        #expect(transport.statistics.connectionCount == 0)
        let none = self.transport { $0.maximumIdleConnections = 0 }
        let log = EventLog()
        _ = try await none.text(TransportRequest(.get, server.origin).with { $0.events = log })
        #expect(none.statistics.connectionCount == 0)
        guard case .released(.closed) = log.events.last?.kind else {
            Issue.record("the connection was reported as kept")
            return
        }
    }

    @Test("a connection that was used again is watched again, and closed when its server closes it")
    func watchedAgain() async throws {
        let server = try ScriptedServer { connection in
            for _ in 0..<3 {
                try connection.readRequest()
                try connection.respond(body: "ok")
            }
            connection.pause(.seconds(1))
        }
        let transport = SocketTransport()
        // The reactor watches the connection after half a second. The second request ends that, and the third one keeps
        // the connection from being watched when the pool looks at it next.
        for pause in [700, 300, 0] {
            #expect(try await transport.text(TransportRequest(.get, server.origin)) == "ok")
            try await Task.sleep(for: .milliseconds(pause))
        }
        #expect(server.connections.count == 1)
        try await eventually("the connection is closed") { transport.statistics.connectionCount == 0 }
    }

    @Test("a connection older than `connectionAge` accepts no requests")
    func connectionAge() async throws {
        let server = try ScriptedServer.answering()
        let transport = transport { $0.connectionAge = .milliseconds(50) }
        _ = try await transport.text(TransportRequest(.get, server.origin))
        try await Task.sleep(for: .milliseconds(100))
        _ = try await transport.text(TransportRequest(.get, server.origin))
        #expect(server.connections.count == 2)
    }

    @Test("requests that differ in trust, local address or other options share no connection")
    func keys() async throws {
        let server = try ScriptedServer.answering()
        let transport = SocketTransport()
        let plain = TransportRequest(.get, server.origin)
        let variants = [
            plain,
            plain.with { $0.options.localAddress = "127.0.0.1" },
            plain.with {
                $0.options.resolveOverrides = [ResolveOverride(host: "a", port: 1, addresses: ["127.0.0.1"])]
            },
        ]
        for request in variants + variants { _ = try await transport.fetch(request) }
        #expect(server.connections.count == variants.count)
    }
}
