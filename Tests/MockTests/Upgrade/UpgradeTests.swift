import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Upgrades", .timeLimit(.minutes(1)))
struct UpgradeTests {
    private static let request = TransportRequest.get("/socket").with { $0.upgrade = .token("echo") }

    private func open(
        _ mock: MockTransport,
        _ request: TransportRequest = request
    ) async throws -> (head: HTTPResponse, stream: any DuplexStream) {
        let response = try await mock.send(request)
        return (response.head, try #require(response.stream))
    }

    private static func echo(_ client: MockStreamPeer) async throws {
        while let data = try await client.read() { try await client.write(data) }
    }

    @Test("a route switches protocols, and both ends exchange bytes (RFC 9110 §7.8)")
    func echoes() async throws {
        let mock = MockTransport { Route(.get, "/socket").reply(.upgrade(to: "echo", Self.echo)) }
        let (head, stream) = try await open(mock)
        #expect(head.status == .switchingProtocols)
        #expect(head.headerFields[.upgrade] == "echo")
        #expect(head.headerFields[.contentLength] == nil)
        for word in ["one", "two"] {
            try await stream.write(Data(word.utf8))
            #expect(try await stream.read() == Data(word.utf8))
        }
        try await stream.finishWriting()
        #expect(try await stream.read() == nil)
        stream.close()
        #expect(mock.connectionCount == 0)
    }

    @Test("an accepted CONNECT is answered with 200 (RFC 9110 §9.3.6)")
    func connects() async throws {
        let mock = MockTransport { Route(.connect, "**").reply(.upgrade(Self.echo)) }
        let tunnel = TransportRequest.get("/").with { $0.upgrade = .tunnel(to: "db.test:5432") }
        let (head, stream) = try await open(mock, tunnel)
        #expect(head.status == .ok)
        #expect(mock.lastRequest?.head.authority == "db.test:5432")
        stream.close()
    }

    @Test("a server that sleeps on the clock keeps its client waiting, and takes no real time")
    func sleepsOnTheClock() async throws {
        let mock = MockTransport()
        let clock = mock.virtualClock
        mock.add(
            Route(.get, "/socket").reply(
                .upgrade { client in
                    for number in 1...3 {
                        try await clock.sleep(for: .seconds(20))
                        try await client.write("tick \(number)")
                    }
                }
            )
        )
        let (_, stream) = try await open(mock)
        for number in 1...3 {
            #expect(try await stream.read() == Data("tick \(number)".utf8))
            #expect(clock.elapsed == .seconds(20 * number))
        }
        #expect(try await stream.read() == nil)
    }

    @Test("a reader that does not read stops the writer")
    func backpressure() async throws {
        let written = Log<Int>()
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .upgrade { client in
                    for number in 0..<100 {
                        try await client.write(Data(count: 10_000))
                        written.append(number)
                    }
                }
            )
        }
        let (_, stream) = try await open(mock)
        await mock.virtualClock.settle()
        #expect(written.values.count < 10)
        var count = 0
        while let data = try await stream.read() { count += data.count }
        #expect(count == 1_000_000)
    }

    @Test("the error of the server's closure breaks the connection")
    func breaks() async throws {
        struct Trouble: Error {}
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .upgrade { client in
                    try await client.write("last words")
                    throw Trouble()
                }
            )
        }
        let (_, stream) = try await open(mock)
        #expect(try await stream.read() == Data("last words".utf8))
        let error = await #expect(throws: TransportError.self) { try await stream.read() }
        #expect(error?.code == .connectionLost)
        #expect(error?.underlying is Trouble)
    }

    @Test("closing the stream ends the waits at both ends and the exchange")
    func closes() async throws {
        let ended = Log<Bool>()
        let mock = MockTransport {
            Route(.get, "/socket").reply(
                .upgrade { client in
                    defer { ended.append(Task.isCancelled) }
                    _ = try await client.read()
                }
            )
        }
        let log = EventLog()
        let (_, stream) = try await open(mock, Self.request.with { $0.events = log })
        #expect(!log.names.contains("released"))
        let reader = Task { try await stream.read() }
        await mock.virtualClock.settle()
        stream.close()
        let error = await #expect(throws: TransportError.self) { try await reader.value }
        #expect(error?.isCancellation == true)
        try await eventually("the end of the exchange") { !ended.values.isEmpty }
        #expect(log.names.last == "released")
    }

    @Test("a server that declines sends an ordinary response")
    func declines() async throws {
        let mock = MockTransport { Route(.get, "/socket").reply(.text("no", status: .forbidden)) }
        let response = try await mock.send(Self.request)
        #expect(response.stream == nil)
        #expect(response.head.status == .forbidden)
        #expect(try await response.body.collect(upTo: 10) == Data("no".utf8))
    }

    @Test("a 101 to a request without an upgrade fails (RFC 9110 §15.2.2)")
    func unasked() async throws {
        let mock = MockTransport { Route(.get, "/socket").reply(.upgrade(Self.echo)) }
        #expect(await mock.failure(of: .get("/socket"))?.code == .malformedResponse)
        let other = Self.request.with { $0.upgrade = .token("telnet") }
        let named = MockTransport { Route(.get, "/socket").reply(.upgrade(to: "echo", Self.echo)) }
        #expect(await named.failure(of: other)?.code == .malformedResponse)
    }

    @Test("a handshake with content or its own Upgrade field is rejected")
    func refused() async throws {
        let mock = MockTransport { Route(.get, "/socket").reply(.upgrade(Self.echo)) }
        let withBody = Self.request.with { $0.body = .bytes(Data("x".utf8)) }
        let withField = Self.request.with { $0.head.headerFields[.upgrade] = "echo" }
        for request in [withBody, withField] {
            #expect(await mock.failure(of: request)?.code == .invalidRequest)
        }
        #expect(mock.requests.isEmpty)
    }

    @Test("a mock without the feature refuses upgrades by name")
    func withoutFeature() async {
        var configuration = MockTransport.Configuration()
        configuration.features.remove(.upgrade)
        let error = await MockTransport(configuration: configuration).failure(of: Self.request)
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("upgrades") == true)
    }
}
