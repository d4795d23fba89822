import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Exchanges", .timeLimit(.minutes(1)))
struct ExchangeTests {
    let transport = SocketTransport()

    @Test("the events of a new connection, and of a kept one")
    func events() async throws {
        let server = try ScriptedServer.answering()
        let (first, second) = (EventLog(), EventLog())
        for log in [first, second] {
            _ = try await transport.fetch(TransportRequest(.get, server.origin).with { $0.events = log })
        }
        let rest = [
            "connectionAcquired", "requestHeadSent", "requestFinished", "responseHead", "responseBodyReceived",
            "released",
        ]
        #expect(first.names == ["started", "connectStarted", "connectFinished"] + rest)
        #expect(second.names == ["started", "decided"] + rest)
        #expect(first.events.map(\.instant) == first.events.map(\.instant).sorted())
    }

    @Test("a request that is sent again is the same on the wire, and a changed copy is not")
    func repeated() async throws {
        let server = try ScriptedServer { connection in
            while true {
                let head = try connection.readRequest().head
                try connection.respond(fields: [], body: head)
            }
        }
        var request = TransportRequest(.get, server.origin)
        let first = try await transport.text(request)
        for _ in 0..<3 { #expect(try await transport.text(request) == first) }
        // The head is remembered by now. The request is its only owner, and still must not change the remembered bytes.
        request.head.path = "/changed"
        let changed = try await transport.text(request)
        #expect(changed == first.replacing("GET / ", with: "GET /changed "))
        for _ in 0..<3 { #expect(try await transport.text(request) == changed) }
        let closing = request.with { $0.head.headerFields[.connection] = "close" }
        for _ in 0..<3 { #expect(try await transport.text(closing).contains("Connection: close\r\n")) }
        let posting = request.with { $0.body = .bytes(Data("x".utf8)) }
        #expect(try await transport.text(posting).contains("Content-Length: 1\r\n"))
    }

    @Test("a refused connection reports each attempt, and fails once")
    func refused() async throws {
        let log = EventLog()
        let error = try #require(
            await transport.failure(of: TransportRequest(.get, "http://127.0.0.1:1/").with { $0.events = log })
        )
        #expect(error.code == .connectFailed)
        #expect(error.phase == .connect)
        #expect(error.processing == .notSent)
        #expect(error.message.contains("Connection refused"))
        #expect(log.names == ["started", "connectStarted", "connectFailed", "failed"])
    }

    @Test("informational responses are events, and the final one is the response")
    func informational() async throws {
        let text = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody"
        let server = try ScriptedServer.saying(text)
        let log = EventLog()
        #expect(try await transport.text(TransportRequest(.get, server.origin).with { $0.events = log }) == "body")
        #expect(log.names.count { $0 == "informationalResponse" } == 2)
    }

    @Test("trailers arrive with the end of the body, and are reported before it")
    func trailers() async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nX-Sum: 1\r\n\r\n"
        let server = try ScriptedServer.saying(text)
        let log = EventLog()
        let response = try await transport.send(TransportRequest(.get, server.origin).with { $0.events = log })
        #expect(try await response.body.collect(upTo: 10) == Data("abc".utf8))
        #expect(response.body.expectedLength == nil)
        #expect(response.body.trailers?[try #require(HTTPField.Name("X-Sum"))] == "1")
        #expect(log.names.suffix(2) == ["trailers", "released"])
    }

    @Test("a body arrives complete, in pieces of any size", arguments: [1, 7, 1000, 300_000])
    func pieces(size: Int) async throws {
        let body: [UInt8] = (0..<1000).flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0 &* 31), count: 300) }
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let count = size == 1 ? 2000 : body.count
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(head)
            for start in stride(from: 0, to: count, by: size) {
                let piece = body[start..<min(count, start + size)]
                try connection.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10])
            }
            try connection.send("0\r\n\r\n")
            connection.waitForEnd()
        }
        let received = try await transport.fetch(TransportRequest(.get, server.origin)).body
        #expect(received == Data(body[..<count]))
        #expect(transport.statistics.idleConnectionCount == 1)
    }

    @Test("a reader that does not pull stops the server (backpressure)")
    func backpressure() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            _ = try connection.sendUntilBlocked([UInt8](repeating: 1, count: 1 << 16), limit: 100_000_000)
        }
        let response = try await transport.send(TransportRequest(.get, server.origin))
        try await Task.sleep(for: .milliseconds(500))
        let sent = server.connections[0].sentCount
        #expect(sent < 20_000_000, "the kernel's buffers alone should have filled")
        #expect(try await response.body.next() != nil)
        response.body.cancel()
        #expect(await transport.failure(of: TransportRequest(.get, "http://127.0.0.1:1/")) != nil)
    }

    @Test("a later request to a server has the same Host, unless it has its own")
    func host() async throws {
        let server = try ScriptedServer { connection in
            while true {
                let head = try connection.readRequest().head
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(head.utf8.count)\r\n\r\n\(head)")
            }
        }
        let place = server.origin.replacing("http://", with: "")
        let (plain, named) = (server.origin + "/a", "http://user:word@\(place)/a")
        let other: HTTPFields = [try #require(HTTPField.Name("Host")): "other.test"]
        for (url, fields, host) in [
            (plain, HTTPFields(), place), (plain, HTTPFields(), place), (named, HTTPFields(), place),
            (named, HTTPFields(), place), (plain, other, "other.test"), (plain, HTTPFields(), place),
        ] {
            let request = TransportRequest(.get, url, fields: fields)
            #expect(try await transport.text(request) == "GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        }
        let faulty = TransportRequest(.get, server.origin + "/a b")
        #expect(await transport.failure(of: faulty)?.code == .invalidRequest)
        #expect(server.connections.count == 1)
    }

    // MARK: Cancellation

    @Test("cancelling before the head ends the exchange immediately and closes the connection")
    func cancelInHead() async throws {
        let ended = Signal()
        let server = try ScriptedServer.silent(ended)
        let log = EventLog()
        let task = Task { await transport.failure(of: TransportRequest(.get, server.origin).with { $0.events = log }) }
        #expect(try await eventually { log.names.contains("requestFinished") })
        let start = ContinuousClock.now
        task.cancel()
        let error = try #require(await task.value)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(error.isCancellation)
        #expect(error.phase == .responseHead)
        #expect(error.processing == .unknown)
        #expect(log.names.last == "failed")
        #expect(log.endCount == 1)
        #expect(try await eventually { ended.isUp })
        #expect(transport.statistics.connectionCount == 0)
    }

    /// A server that begins a body and never ends it.
    private func endlessBody(_ ended: Signal) throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            connection.waitForEnd(ended)
        }
    }

    @Test("cancelling a reader, or the body itself, closes the connection", arguments: 0..<3)
    func cancelInBody(way: Int) async throws {
        let (log, ended) = (EventLog(), Signal())
        let server = try endlessBody(ended)
        let body = try await transport.send(TransportRequest(.get, server.origin).with { $0.events = log }).body
        #expect(try await body.next() == Data("abc".utf8))
        let reader = Task { () -> TransportError? in
            do throws(TransportError) { _ = try await body.next() } catch { return error }
            return nil
        }
        if way > 0 { try await Task.sleep(for: .milliseconds(50)) }
        if way == 1 { reader.cancel() } else { body.cancel() }
        #expect(await reader.value?.isCancellation == true)
        #expect(try await eventually { ended.isUp && log.endCount == 1 })
        #expect(log.names.last == "failed")
        #expect(transport.statistics.connectionCount == 0)
    }

    @Test("releasing a body before its end closes the connection")
    func dropBody() async throws {
        let (log, ended) = (EventLog(), Signal())
        let server = try endlessBody(ended)
        do {
            let response = try await transport.send(TransportRequest(.get, server.origin).with { $0.events = log })
            #expect(try await response.body.next() == Data("abc".utf8))
        }
        #expect(try await eventually { ended.isUp && log.endCount == 1 })
        #expect(log.names.last == "failed")
    }

    @Test("a task that is cancelled before it sends opens no connection")
    func cancelledBefore() async throws {
        let server = try ScriptedServer.answering()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await transport.failure(of: TransportRequest(.get, server.origin))
        }
        task.cancel()
        let error = try #require(await task.value)
        #expect(error.isCancellation)
        #expect(error.processing == .notSent)
        #expect(server.connections.isEmpty)
    }

    // MARK: Limits

    static let phases: [(limits: PhaseLimits, script: String, phase: TransportPhase)] = [
        (PhaseLimits(firstByte: .milliseconds(200)), "", .responseHead),
        (PhaseLimits(readIdle: .milliseconds(200)), "HTTP/1.1 200 OK\r\nX-", .responseHead),
        (PhaseLimits(readIdle: .milliseconds(200)), "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .responseBody),
    ]

    @Test("each limit ends the exchange in its phase, and the error names the limit", arguments: 0..<3)
    func limits(index: Int) async throws {
        let (limits, script, phase) = Self.phases[index]
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(script)
            connection.waitForEnd()
        }
        let request = TransportRequest(.get, server.origin).with { $0.options.limits = limits }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .timedOut)
        #expect(error.phase == phase)
        #expect(error.message.contains("200 ms"))
    }

    @Test("the deadline ends an exchange whose body is not being read")
    func deadline() async throws {
        let (log, ended) = (EventLog(), Signal())
        let server = try endlessBody(ended)
        let request = TransportRequest(.get, server.origin).with {
            $0.options.deadline = .seconds(6)
            $0.events = log
        }
        let response = try await transport.send(request)
        #expect(try await eventually { ended.isUp && log.endCount == 1 })
        do {
            while try await response.body.next() != nil {}
            Issue.record("the body ended")
        } catch {
            #expect(error.code == .timedOut)
            #expect(error.message.contains("deadline of 6 s"))
        }
    }

    @Test("limits that are not reached change nothing, over several exchanges of a connection")
    func generous() async throws {
        let server = try ScriptedServer.answering()
        let most = Duration.seconds(50)
        let request = TransportRequest(.get, server.origin).with {
            $0.options.deadline = most
            $0.options.limits = PhaseLimits(
                pool: most, connect: most, tls: most, writeIdle: most, firstByte: most, readIdle: most
            )
        }
        for _ in 0..<20 { #expect(try await transport.text(request) == "ok") }
        #expect(server.connections.count == 1)
    }

    // MARK: The transport

    @Test("after a shutdown new requests fail, and exchanges in flight end normally")
    func shutdown() async throws {
        let gate = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            gate.wait()
            try connection.respond(body: "ok")
            connection.waitForEnd()
        }
        let (transport, log) = (transport, EventLog())
        async let text = transport.text(TransportRequest(.get, server.origin).with { $0.events = log })
        #expect(try await eventually { log.names.contains("requestFinished") })
        let end = Task { await transport.shutdown() }
        try await Task.sleep(for: .milliseconds(50))
        gate.raise()
        #expect(try await text == "ok")
        await end.value
        #expect(await transport.failure(of: TransportRequest(.get, server.origin))?.code == .transportShutDown)
        #expect(transport.statistics.connectionCount == 0)
    }

    @Test("a body outlives its transport while it is read, and releasing both does not trap")
    func dropped() async throws {
        let (gate, ended) = (Signal(), Signal())
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            gate.wait()
            try connection.send("def")
            connection.waitForEnd(ended)
        }
        var transport: SocketTransport? = SocketTransport()
        let response = try #require(try await transport?.send(TransportRequest(.get, server.origin)))
        transport = nil
        gate.raise()
        #expect(try await response.body.collect(upTo: 10) == Data("abcdef".utf8))
        #expect(try await eventually { ended.isUp })
    }

    @Test("HTTP/2 without TLS and without prior knowledge is rejected before a connection is opened")
    func unsupported() async throws {
        let server = try ScriptedServer.answering()
        let request = TransportRequest(.get, server.origin).with { $0.options.httpVersion = .http2Only }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .unsupportedOption)
        #expect(error.phase == .options)
        #expect(error.message.contains("http2PriorKnowledge"))
        #expect(server.connections.isEmpty)
    }

    @Test(
        "malformed addresses and other schemes are rejected",
        arguments: ["ftp://a.test/", "http:///", "http://a b/"])
    func invalid(url: String) async throws {
        let error = try #require(await transport.failure(of: TransportRequest(.get, url)))
        #expect([.unsupportedScheme, .invalidRequest].contains(error.code))
        #expect(error.processing == .notSent)
    }
}
