import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Testing

@Suite("Connections", .timeLimit(.minutes(1)))
struct ConnectionTests {
    let transport = CurlTransport()

    @Test("one connection serves requests one after another, and is described")
    func reuse() async throws {
        let server = try ScriptedServer.answering(body: "ok")
        var ids: Set<UInt64> = []
        for index in 0..<5 {
            let (response, _) = try await transport.fetch(TransportRequest(.get, server.origin))
            let connection = try #require(response.connection)
            ids.insert(connection.id)
            #expect(connection.isReused == (index > 0))
            #expect(connection.httpVersion == .http1_1)
            #expect(connection.remoteAddress == .ip("127.0.0.1", port: server.port))
            #expect(connection.tls == nil)
            guard case .ip("127.0.0.1", let port) = connection.localAddress else {
                Issue.record("no local address")
                continue
            }
            #expect(port != 0)
        }
        #expect(ids.count == 1)
        #expect(server.connections.count == 1)
    }

    @Test("a connection that the server closed while it was idle is replaced silently")
    func idleClose() async throws {
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
        }
        for _ in 0..<3 {
            #expect(try await transport.fetch(TransportRequest(.post, server.origin)).body.count == 2)
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(server.connections.count == 3)
    }

    @Test("an idempotent request is repeated on a new connection if its kept connection is lost")
    func repetition() async throws {
        let server = try dying()
        #expect(try await transport.fetch(TransportRequest(.get, server.origin)).body.count == 2)
        #expect(try await transport.fetch(TransportRequest(.get, server.origin)).body.count == 2)
        #expect(server.connections.count == 2)
    }

    @Test(
        "a non-idempotent request is not repeated, because the server may have processed it (RFC 9110 §9.2.2)",
        arguments: [RequestBody.none, .bytes(Data("body".utf8)), .bytes(Data(repeating: 1, count: 100_000))]
    )
    func noRepetition(body: RequestBody) async throws {
        let server = try dying()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let error = try #require(await transport.failure(of: TransportRequest(.post, server.origin, body: body)))
        #expect(error.code == .connectionLost, "\(error)")
        #expect(error.processing == .unknown)
        #expect(server.connections.dropFirst().allSatisfy { $0.received.isEmpty })
    }

    @Test("a replayable body is sent again with its request")
    func repeatedBody() async throws {
        let server = try dying()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let body = RequestBody.restartable(length: 6) { ChunkSource(["abc", "def"]) }
        _ = try await transport.fetch(TransportRequest(.put, server.origin, body: body))
        #expect(server.connections[1].receivedText.hasSuffix("\r\n\r\nabcdef"))
    }

    /// A server whose first connection answers once and closes on the second request.
    private func dying() throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
            guard connection.index > 0 else {
                try connection.readRequest()
                return
            }
            while true {
                try connection.readRequest()
                try connection.respond(body: "ok")
            }
        }
    }

    @Test("an override applies to its request only")
    func override() async throws {
        let server = try ScriptedServer.answering(body: "ok")
        let url = "http://nowhere.invalid:\(server.port)/"
        let override = ResolveOverride(host: "nowhere.invalid", port: server.port, addresses: ["127.0.0.1"])
        let request = TransportRequest(.get, url).with { $0.options.resolveOverrides = [override] }
        #expect(try await transport.fetch(request).body.count == 2)
        #expect(server.connections[0].receivedText.contains("Host: nowhere.invalid:"))
        let error = await transport.failure(of: TransportRequest(.get, url))
        #expect(error?.code == .nameResolutionFailed)
    }

    @Test("a burst to one name causes one lookup, even if the name has no address")
    func burstOfLookups() async throws {
        let server = try ScriptedServer.answering(body: "ok")
        let name = ProcessInfo.processInfo.hostName
        for (host, code) in [(name, nil), ("nowhere.invalid", TransportError.Code.nameResolutionFailed)] {
            let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        await transport.failure(of: TransportRequest(.get, "http://\(host):\(server.port)/"))?.code
                    }
                }
                return await group.reduce(into: []) { (codes: inout Set<TransportError.Code?>, code) in
                    codes.insert(code)
                }
            }
            // The machine's own name may lead to an address on which the server does not listen.
            if code != nil || !codes.contains(.connectFailed) { #expect(codes == [code]) }
        }
    }

    @Test("idle connections are closed at the idle age")
    func idleAge() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.idleConnectionAge = .milliseconds(200)
        let transport = CurlTransport(configuration: configuration)
        let closed = Signal()
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.respond(body: "ok")
            if connection.peerCloses(within: .seconds(15)) { closed.raise() }
        }
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let end = ContinuousClock.now + .seconds(15)
        while ContinuousClock.now < end, !closed.isUp { try await Task.sleep(for: .milliseconds(5)) }
        #expect(closed.isUp)
    }

    @Test("a connection is opened from the local address")
    func localAddress() async throws {
        let server = try ScriptedServer.answering()
        let request = TransportRequest(.get, server.origin).with { $0.options.localAddress = "127.0.0.9" }
        let (response, _) = try await transport.fetch(request)
        guard case .ip("127.0.0.9", _) = response.connection?.localAddress else {
            Issue.record("connected from \(String(describing: response.connection?.localAddress))")
            return
        }
        let impossible = TransportRequest(.get, server.origin).with { $0.options.localAddress = "192.0.2.1" }
        let error = try #require(await transport.failure(of: impossible))
        #expect(error.code == .connectFailed, "\(error)")
    }

    @Test("an interface that does not exist is an error")
    func interface() async throws {
        let server = try ScriptedServer.answering()
        let request = TransportRequest(.get, server.origin).with { $0.options.networkInterface = "nowhere0" }
        #expect(await transport.failure(of: request)?.code == .connectFailed)
        let loopback = TransportRequest(.get, server.origin).with { $0.options.networkInterface = "lo" }
        #expect(try await transport.fetch(loopback).response.head.status == 200)
    }

    @Test("a Unix socket", .needsPeers)
    func unixSocket() async throws {
        let path = try Peers.path(.unixSocket)
        let request = TransportRequest(.get, "http://localhost/static/64.bin").with { $0.options.unixSocketPath = path }
        let (response, body) = try await transport.fetch(request)
        #expect(body.count == 64)
        #expect(response.connection?.remoteAddress == .unix(path: path))
        let second = try await transport.fetch(request).response.connection
        #expect(second?.isReused == true)
        #expect(second?.id == response.connection?.id)
    }

    @Test("a closed port refuses the connection")
    func refused() async throws {
        let error = try #require(await transport.failure(of: TransportRequest(.get, "http://127.0.0.1:1/")))
        #expect(error.code == .connectFailed)
        #expect(error.phase == .connect)
        #expect(error.processing == .notSent)
        #expect(error.libraryMessage?.contains("libcurl") == true)
        #expect(error.isConnectionFailure)
    }

    @Test("the number of connections to a host stays within its limit")
    func connectionLimit() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = 3
        let transport = CurlTransport(configuration: configuration)
        let server = try ScriptedServer.answering(body: "ok")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await transport.fetch(TransportRequest(.get, server.origin)) } }
            try await group.waitForAll()
        }
        #expect(server.connections.count <= 3)
    }
}

@Suite("The life of a transport", .timeLimit(.minutes(1)))
struct LifetimeTests {
    private static func openDescriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    @Test("shutdown waits for exchanges in flight and rejects later requests")
    func shutdown() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            connection.pause(.milliseconds(200))
            try connection.respond(body: "ok")
        }
        let transport = CurlTransport()
        let task = Task { try await transport.fetch(TransportRequest(.get, server.origin)).body.count }
        while server.connections.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        await transport.shutdown()
        #expect(try await task.value == 2)
        let error = await transport.failure(of: TransportRequest(.get, server.origin))
        #expect(error?.code == .transportShutDown)
        await transport.shutdown()
    }

    @Test("an unused transport can be shut down and released")
    func unused() async {
        await CurlTransport().shutdown()
        _ = CurlTransport()
    }

    @Test("a body can be read after its transport was released")
    func bodyOutlives() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            connection.pause(.milliseconds(200))
            try connection.send("def")
        }
        let body = try await CurlTransport().send(TransportRequest(.get, server.origin)).body
        #expect(try await body.collect(upTo: 10) == Data("abcdef".utf8))
    }

    @Test("a released transport ends its thread and closes its connections")
    func dropped() async throws {
        let server = try ScriptedServer { connection in
            while true {
                try connection.readRequest()
                try connection.respond(body: "ok")
            }
        }
        for _ in 0..<20 {
            let transport = CurlTransport()
            _ = try await transport.fetch(TransportRequest(.get, server.origin))
        }
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end, server.failures.count < 20 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(server.failures.count == 20)
    }

    @Test("exchanges can be cancelled and released at any point")
    func churn() async throws {
        let server = try ScriptedServer { connection in
            while true {
                try connection.readRequest()
                connection.pause(.milliseconds(Int.random(in: 0...3)))
                try connection.respond(body: String(repeating: "x", count: 5000))
            }
        }
        let transport = CurlTransport()
        let outcomes = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    let task = Task { await transport.failure(of: TransportRequest(.get, server.origin)) }
                    try? await Task.sleep(for: .microseconds(Int.random(in: 0...8000)))
                    task.cancel()
                    return await task.value
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 300)
        #expect(outcomes.allSatisfy { $0?.isCancellation ?? true })
        #expect(try await transport.fetch(TransportRequest(.get, server.origin)).body.count == 5000)
    }
}
