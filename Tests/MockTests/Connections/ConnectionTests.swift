import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Connections of a mock", .timeLimit(.minutes(1)))
struct ConnectionTests {
    private func id(_ mock: MockTransport, _ request: TransportRequest) async throws -> UInt64 {
        let response = try await mock.send(request)
        _ = try await response.body.collect(upTo: 1 << 20)
        return try #require(response.connection?.id)
    }

    struct KeyCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout TransportRequest) -> Void
        let isShared: Bool
    }

    static let keys = [
        KeyCase(testDescription: "same", change: { _ in }, isShared: true),
        KeyCase(testDescription: "another path", change: { $0.head.path = "/other" }, isShared: true),
        KeyCase(testDescription: "another port", change: { $0.head.authority = "api.test:444" }, isShared: false),
        KeyCase(testDescription: "another scheme", change: { $0.head.scheme = "http" }, isShared: false),
        KeyCase(
            testDescription: "another evaluation",
            change: { $0.trust = ClosureTrustEvaluation { _, _, _, _ in } },
            isShared: false
        ),
        KeyCase(
            testDescription: "an identity",
            change: { $0.identity = ClientIdentity(chain: [], privateKey: DER([])) },
            isShared: false
        ),
        KeyCase(testDescription: "another version", change: { $0.options.httpVersion = .http2Only }, isShared: false),
        KeyCase(testDescription: "a Unix socket", change: { $0.options.unixSocketPath = "/s" }, isShared: false),
    ]

    @Test("Requests with equal properties share a connection", arguments: keys)
    func key(test: KeyCase) async throws {
        let mock = MockTransport { Route("**").reply(.text("x")) }
        let request = TransportRequest.get("https://api.test/")
        let first = try await id(mock, request)
        let second = try await id(mock, request.with(test.change))
        #expect((first == second) == test.isShared)
    }

    @Test("A connection that the server closes between requests is not reused")
    func closedBetween() async throws {
        let mock = MockTransport { Route("/").reply(.text("x")) }
        let first = try await id(mock, .get("/"))
        #expect(mock.idleConnectionIDs == [first])
        #expect(mock.closeIdleConnections() == 1)
        #expect(try await id(mock, .get("/")) != first)
    }

    @Test(
        "A reply can close the connection",
        arguments: [
            Reply.text("x").closingConnection(), Reply.text("x").header(.connection, "close"),
        ])
    func closing(reply: Reply) async throws {
        let mock = MockTransport { Route("/").reply(reply) }
        let log = EventLog()
        _ = try await mock.fetch(.get("/", events: log))
        guard case .released(.closed) = log.events.last?.kind else {
            Issue.record("the connection was kept")
            return
        }
        #expect(mock.connectionCount == 0)
    }

    @Test("A kept connection that turns out to be closed fails its request, and the next request opens a new one")
    func stale() async throws {
        let mock = MockTransport { Route("/").reply(.text("x").closedWhenReused()) }
        #expect(try await mock.text("/") == "x")
        let error = await mock.failure(of: .get("/"))
        #expect(error?.code == .connectionLost)
        #expect(error?.processing == .unknown)
        #expect(try await mock.text("/") == "x")
    }

    @Test(
        "An HTTP/1.1 connection carries one exchange at a time, an HTTP/2 connection many",
        arguments: [
            (HTTPVersion.http1_1, 2), (.http2, 1),
        ])
    func multiplexing(version: HTTPVersion, count: Int) async throws {
        var configuration = MockTransport.Configuration()
        configuration.httpVersion = version
        let mock = MockTransport(configuration: configuration) { Route("/").reply(.text("x")) }
        let first = try await mock.send(.get("https://api.test/"))
        let second = try await mock.send(.get("https://api.test/"))
        #expect(mock.connectionCount == count)
        #expect(first.connection?.tls?.applicationProtocol == (version == .http2 ? "h2" : "http/1.1"))
        _ = try await first.body.collect(upTo: 10)
        _ = try await second.body.collect(upTo: 10)
        #expect(mock.idleConnectionIDs.count == count)
    }

    @Test("Requests beyond the limit wait for a connection in order")
    func limit() async throws {
        var configuration = MockTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let mock = MockTransport(configuration: configuration) {
            Route("/").reply(.text("x").delayed(by: .seconds(10)))
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { _ = try await mock.text("/") } }
            try await group.waitForAll()
        }
        #expect(mock.virtualClock.elapsed == .seconds(50))
        #expect(Set(mock.requests.compactMap(\.connection?.id)).count == 1)
    }

    @Test("Requests that wait for a connection share one of HTTP/2 as soon as it is open")
    func sharing() async throws {
        var configuration = MockTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        configuration.httpVersion = .http2
        let mock = MockTransport(configuration: configuration) {
            Route("/").reply(.text("x").delayed(by: .seconds(1), in: .connect).delayed(by: .seconds(10)))
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { _ = try await mock.text("/") } }
            try await group.waitForAll()
        }
        #expect(mock.virtualClock.elapsed == .seconds(11))
        #expect(Set(mock.requests.compactMap(\.connection?.id)).count == 1)
    }

    @Test("Waiting for a connection has a limit, and a waiter that gives up passes its place to the next")
    func poolLimit() async throws {
        var configuration = MockTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let mock = MockTransport(configuration: configuration) {
            Route("/").reply(.text("x").delayed(by: .seconds(10)))
        }
        let results = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<5 {
                group.addTask { await mock.failure(of: .get("/").with { $0.options.limits.pool = .seconds(25) }) }
            }
            return await group.reduce(into: [TransportError?]()) { $0.append($1) }
        }
        #expect(results.count { $0 == nil } == 3)
        #expect(results.count { $0?.isTimeout == true && $0?.phase == .pool && $0?.processing == .notSent } == 2)
        #expect(mock.connectionCount == 1)
    }

    @Test("A mock describes its connections: addresses, protocol, TLS")
    func description() async throws {
        let mock = MockTransport { Route("/").reply(.text("x")) }
        let response = try await mock.send(.get("https://api.test/"))
        let connection = try #require(response.connection)
        #expect(connection.httpVersion == .http1_1)
        #expect(connection.remoteAddress == .ip("192.0.2.1", port: 443))
        #expect(connection.tls?.version == .tls1_3)
        #expect(!connection.isReused && !connection.isProxied)
        let proxied = try await mock.send(
            .get("https://api.test/").with { $0.options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128)) }
        )
        #expect(proxied.connection?.isProxied == true)
        #expect(proxied.connection?.remoteAddress == .ip("192.0.2.2", port: 3128))
        let excluded = try await mock.send(
            .get("https://api.test/").with {
                $0.options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128, excludedHosts: ["test"]))
            }
        )
        #expect(excluded.connection?.isProxied == false)
    }

    @Test("A shutdown waits for exchanges in flight and rejects later requests")
    func shutdown() async throws {
        let mock = MockTransport { Route("/").reply(.text("x").delayed(by: .seconds(10))) }
        let response = try await mock.send(.get("/"))
        let shutdown = Task { await mock.shutdown() }
        try await eventually("the shutdown") { await mock.failure(of: .get("/"))?.code == .transportShutDown }
        #expect(mock.connectionCount == 1)
        _ = try await response.body.collect(upTo: 10)
        await shutdown.value
        #expect(mock.connectionCount == 0)
        await mock.shutdown()
    }
}
