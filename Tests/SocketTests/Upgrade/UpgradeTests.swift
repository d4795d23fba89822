import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import Glibc
import HTTPTypes
import Testing

@Suite("Upgrades", .timeLimit(.minutes(1)))
struct UpgradeTests {
    let transport = SocketTransport()

    private func upgrade(_ origin: String) -> TransportRequest {
        TransportRequest(.get, origin).with { $0.upgrade = .token("echo") }
    }

    /// A server that switches to an echo protocol.
    private func echoing(_ first: String = "", _ ended: Signal = Signal()) throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.readHead()
            let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n"
            try connection.send(head + first)
            while let byte = try? connection.read(1) { try connection.send(byte) }
            ended.raise()
            try connection.send("end")
        }
    }

    @Test("after 101 the stream carries bytes both ways, including those that arrived with the head")
    func switched() async throws {
        let server = try echoing("hello")
        let log = EventLog()
        let response = try await transport.send(upgrade(server.origin).with { $0.events = log })
        let stream = try #require(response.stream)
        #expect(response.head.status == 101)
        #expect(response.connection != nil)
        #expect(try await stream.read() == Data("hello".utf8))
        try await stream.write(Data("abc".utf8))
        var received = Data()
        while received.count < 3, let more = try await stream.read() { received += more }
        #expect(received == Data("abc".utf8))
        #expect(log.endCount == 0)
        try await stream.finishWriting()
        #expect(try await stream.read() == Data("end".utf8))
        #expect(try await stream.read() == nil)
        stream.close()
        #expect(log.names.last == "released")
        #expect(log.endCount == 1)
        #expect(transport.statistics.connectionCount == 0)
    }

    @Test("a writer that waits for room is woken after the reader has stopped reading")
    func waitingWriter() async throws {
        let upload = Data(count: 8 << 20)
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
            // The writer finds no room. Meanwhile each byte arrives while the reader spins.
            for _ in 0..<2000 {
                try connection.send("x")
                usleep(50)
            }
            var count = 0
            while count < upload.count { count += try connection.read(1 << 16).count }
            try connection.send("end")
        }
        let stream = try #require(try await transport.send(upgrade(server.origin)).stream)
        async let written: Void = stream.write(upload)
        var count = 0
        while count < 2000, let bytes = try await stream.read() { count += bytes.count }
        try await written
        #expect(try await stream.read() == Data("end".utf8))
    }

    @Test("the response of a server that declines the upgrade is delivered")
    func declined() async throws {
        let server = try ScriptedServer.answering(body: "no")
        let response = try await transport.send(upgrade(server.origin))
        #expect(response.stream == nil)
        #expect(response.head.status == 200)
        #expect(try await response.body.collect(upTo: 10) == Data("no".utf8))
        #expect(transport.statistics.idleConnectionCount == 1)
    }

    @Test("CONNECT opens a tunnel through the server (RFC 9110 §9.3.6)")
    func connect() async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            #expect(head.hasPrefix("CONNECT db.test:5432 HTTP/1.1\r\nHost: db.test:5432\r\n"))
            try connection.send("HTTP/1.1 200 OK\r\n\r\nwelcome")
            _ = try? connection.readToEnd()
        }
        let request = TransportRequest(.get, server.origin).with { $0.upgrade = .tunnel(to: "db.test:5432") }
        let stream = try #require(try await transport.send(request).stream)
        #expect(try await stream.read() == Data("welcome".utf8))
    }

    @Test("an upgrade passes an HTTP proxy through a tunnel (RFC 6455 §4.1)")
    func throughProxy() async throws {
        let proxy = try ScriptedServer { connection in
            #expect(try connection.readHead().hasPrefix("CONNECT api.test:80 HTTP/1.1\r\n"))
            try connection.send("HTTP/1.1 200 OK\r\n\r\n")
            #expect(try connection.readHead().hasPrefix("GET / HTTP/1.1\r\nHost: api.test\r\n"))
            try connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello")
            _ = try? connection.readToEnd()
        }
        let request = upgrade("http://api.test").with {
            $0.options.proxy = .proxy(Proxy(kind: .http, host: "127.0.0.1", port: proxy.port))
        }
        let stream = try #require(try await transport.send(request).stream)
        #expect(try await stream.read() == Data("hello".utf8))
    }

    @Test("closing a stream wakes its reader, and releasing it closes the connection")
    func close() async throws {
        let ended = Signal()
        let server = try echoing("", ended)
        let stream = try #require(try await transport.send(upgrade(server.origin)).stream)
        let reader = Task { () -> Bool in
            do { return try await stream.read() == nil } catch { return true }
        }
        try await Task.sleep(for: .milliseconds(50))
        stream.close()
        #expect(await reader.value)
        await #expect(throws: TransportError.self) { try await stream.write(Data("x".utf8)) }
        #expect(try await eventually { ended.isUp })
    }

    @Test("reading and writing run concurrently, with backpressure both ways")
    func duplex() async throws {
        let server = try echoing()
        let stream = try #require(try await transport.send(upgrade(server.origin)).stream)
        let count = 20_000
        let writer = Task {
            for _ in 0..<10 { try await stream.write(Data(repeating: 7, count: count / 10)) }
        }
        var received = 0
        while received < count, let data = try await stream.read() { received += data.count }
        try await writer.value
        #expect(received == count)
        stream.close()
    }

    @Test("an unrequested switch of protocols and a CONNECT without a tunnel are errors")
    func unasked() async throws {
        let server = try echoing()
        #expect(await transport.failure(of: TransportRequest(.get, server.origin))?.code == .malformedResponse)
        let withField = TransportRequest(.get, server.origin, fields: [.upgrade: "echo", .connection: "Upgrade"])
        #expect(await transport.failure(of: withField)?.code == .malformedResponse)
        let head = HTTPRequest(method: .connect, scheme: "http", authority: "127.0.0.1:\(server.port)", path: nil)
        #expect(await transport.failure(of: TransportRequest(head))?.code == .invalidRequest)
    }
}
