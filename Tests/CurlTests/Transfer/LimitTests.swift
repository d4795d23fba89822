import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("Limits", .timeLimit(.minutes(1)))
struct LimitTests {
    let transport = CurlTransport()

    /// Expects a timeout in `phase` at about 200 ms, with the limit in the message.
    private func expectTimeout(
        _ request: TransportRequest,
        on transport: CurlTransport? = nil,
        phase: TransportPhase,
        processing: TransportError.Processing
    ) async throws {
        let start = ContinuousClock.now
        let error = try #require(await (transport ?? self.transport).failure(of: request))
        let elapsed = ContinuousClock.now - start
        #expect(error.code == .timedOut, "\(error)")
        #expect(error.isTimeout)
        #expect(error.phase == phase)
        #expect(error.processing == processing)
        #expect(error.message.contains("200 ms"), "\(error)")
        #expect(elapsed > .milliseconds(195) && elapsed < .seconds(15))
    }

    private let limit = Duration.milliseconds(200)

    @Test("the first byte of a response")
    func firstByte() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.readToEnd()
        }
        let request = TransportRequest(.get, server.origin).with { $0.options.limits.firstByte = limit }
        try await expectTimeout(request, phase: .responseHead, processing: .unknown)
    }

    @Test("the first byte of a response to a request with a small body")
    func firstByteAfterBody() async throws {
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.readToEnd()
        }
        let request = TransportRequest(.post, server.origin, body: .bytes(Data("body".utf8))).with {
            $0.options.limits.firstByte = limit
        }
        try await expectTimeout(request, phase: .responseHead, processing: .unknown)
    }

    @Test("a head that stalls or trickles exceeds the limit on idle reading or the deadline")
    func headStall() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nX-")
            try connection.readToEnd()
        }
        let request = TransportRequest(.get, server.origin).with { $0.options.limits.readIdle = limit }
        try await expectTimeout(request, phase: .responseHead, processing: .unknown)
    }

    @Test("a pause in the body")
    func readIdle() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            try connection.readToEnd()
        }
        let request = TransportRequest(.get, server.origin).with { $0.options.limits.readIdle = limit }
        try await expectTimeout(request, phase: .responseBody, processing: .unknown)
    }

    @Test("a body that trickles is not idle but exceeds the deadline")
    func trickle() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            try connection.trickle("0123456789", every: .milliseconds(300))
        }
        // Longer than a pause may become on a busy machine, and shorter than the whole.
        let limit = Duration.seconds(2)
        let patient = TransportRequest(.get, server.origin).with { $0.options.limits.readIdle = limit }
        #expect(try await transport.fetch(patient).body.count == 10)
        let hasty = TransportRequest(.get, server.origin).with { $0.options.deadline = limit }
        let error = try #require(await transport.failure(of: hasty))
        #expect(error.code == .timedOut && error.phase == .responseBody, "\(error)")
        #expect(error.processing == .unknown)
    }

    @Test("time without a reader does not count as idle")
    func slowReader() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            connection.pause(.milliseconds(600))
            try connection.send("def")
        }
        let request = TransportRequest(.get, server.origin).with { $0.options.limits.readIdle = .milliseconds(300) }
        let response = try await transport.send(request)
        try await Task.sleep(for: .milliseconds(450))
        #expect(try await response.body.collect(upTo: 100).count == 6)
    }

    @Test("a pause in sending")
    func writeIdle() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            connection.pause(.seconds(3))
        }
        let body = RequestBody.bytes(Data(repeating: 1, count: 50_000_000))
        let request = TransportRequest(.post, server.origin, body: body).with { $0.options.limits.writeIdle = limit }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .timedOut)
        #expect(error.phase == .requestBody)
    }

    @Test("a slow source is not a slow connection")
    func slowSource() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            _ = try connection.readChunkedBody()
            try connection.respond()
        }
        let body = RequestBody.oneShot(ChunkSource(["a", "b"], delay: .milliseconds(350)))
        let request = TransportRequest(.post, server.origin, body: body).with { $0.options.limits.writeIdle = limit }
        #expect(try await transport.fetch(request).response.head.status == 200)
    }

    @Test("the limit on sending begins anew when a slow source has delivered")
    func slowSourceThenClosedWindow() async throws {
        // The server closes the window while the source pauses, so that its second chunk cannot be sent.
        let closing = HTTP2Frame.settings([(4, 0)])
        let peer = try RawPeer(
            PeerScenario(
                .readHTTP2Preface, .frames([.settings(), .settingsAcknowledged]), .readHTTP2Head,
                .readHTTP2Frame(type: 0, flags: 0), .frames([closing]), .awaitClose))
        defer { peer.stop() }
        let limit = Duration.milliseconds(400)
        let source = PausingSource(.milliseconds(600))
        let request = TransportRequest(.post, "http://\(peer.authority)/", body: .oneShot(source)).with {
            $0.options.httpVersion = .http2PriorKnowledge
            $0.options.limits.writeIdle = limit
        }
        let error = try #require(await transport.failure(of: request))
        let end = ContinuousClock.now
        #expect(error.code == .timedOut && error.phase == .requestBody, "\(error)")
        let delivery = try #require(source.lastDelivery)
        #expect(end - delivery >= limit)
    }

    @Test("connecting, to an address that swallows packets")
    func connect() async throws {
        // A listener whose queue is full answers no more handshakes on Linux.
        let server = try FullListener()
        let request = TransportRequest(.get, "http://127.0.0.1:\(server.port)/").with {
            $0.options.limits.connect = limit
        }
        try await expectTimeout(request, phase: .connect, processing: .notSent)
    }

    @Test("the TLS handshake")
    func tls() async throws {
        let server = try ScriptedServer { try $0.readToEnd() }
        let request = TransportRequest(.get, "https://127.0.0.1:\(server.port)/").with { $0.options.limits.tls = limit }
        try await expectTimeout(request, phase: .tls, processing: .notSent)
    }

    @Test("waiting for a connection")
    func pool() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = CurlTransport(configuration: configuration)
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            try connection.readToEnd()
        }
        let held = try await transport.send(TransportRequest(.get, server.origin))
        let request = TransportRequest(.get, server.origin).with { $0.options.limits.pool = limit }
        try await expectTimeout(request, on: transport, phase: .pool, processing: .notSent)
        held.body.cancel()
    }

    @Test("the deadline covers every phase")
    func deadline() async throws {
        let silent = try ScriptedServer { try $0.readToEnd() }
        let request = TransportRequest(.get, silent.origin).with { $0.options.deadline = limit }
        try await expectTimeout(request, phase: .responseHead, processing: .unknown)
        let overTLS = TransportRequest(.get, "https://127.0.0.1:\(silent.port)/").with { $0.options.deadline = limit }
        try await expectTimeout(overTLS, phase: .tls, processing: .notSent)
    }

    @Test("limits that are not exceeded have no effect")
    func generous() async throws {
        let server = try ScriptedServer.answering(body: "ok")
        let request = TransportRequest(.get, server.origin).with {
            $0.options.deadline = .seconds(20)
            $0.options.limits = PhaseLimits(
                pool: .seconds(5), connect: .seconds(5), tls: .seconds(5), writeIdle: .seconds(5),
                firstByte: .seconds(5),
                readIdle: .seconds(5)
            )
        }
        for _ in 0..<5 { #expect(try await transport.fetch(request).body.count == 2) }
    }
}

/// A source that delivers a chunk immediately, another one after a pause, and the end never.
private final class PausingSource: RequestBodySource {
    private let pause: Duration
    private let deliveries = Mutex<[ContinuousClock.Instant]>([])

    init(_ pause: Duration) { self.pause = pause }

    var lastDelivery: ContinuousClock.Instant? { deliveries.withLock { $0.count == 2 ? $0.last : nil } }

    func next() async throws -> Data? {
        let count = deliveries.withLock { $0.count }
        if count > 0 { try await Task.sleep(for: count == 1 ? pause : .seconds(60)) }
        deliveries.withLock { $0.append(.now) }
        return Data("a".utf8)
    }
}
