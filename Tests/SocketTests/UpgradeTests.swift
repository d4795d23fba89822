import AirframeConformance
import AirframeSocket
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Upgrades", .timeLimit(.minutes(1)))
struct UpgradeTests {
    let transport = SocketTransport()

    private func upgrade(_ origin: String) -> TransportRequest {
        TransportRequest(.get, origin, fields: [.upgrade: "echo", .connection: "Upgrade"])
    }

    /// A server that switches to a protocol which sends everything back.
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

    @Test("after 101 the stream carries bytes both ways, with what came behind the head")
    func switched() async throws {
        let server = try echoing("hello")
        let log = EventLog()
        let result = try await transport.upgrade(upgrade(server.origin).with { $0.events = log })
        guard case .upgraded(let head, let stream, let connection) = result else {
            Issue.record("the upgrade was declined")
            return
        }
        #expect(head.status == 101)
        #expect(connection != nil)
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

    @Test("a server that declines gives its ordinary response")
    func declined() async throws {
        let server = try ScriptedServer.answering(body: "no")
        guard case .declined(let response) = try await transport.upgrade(upgrade(server.origin)) else {
            Issue.record("the upgrade was granted")
            return
        }
        #expect(response.head.status == 200)
        #expect(try await response.body.collect(upTo: 10) == Data("no".utf8))
        #expect(transport.statistics.idleConnectionCount == 1)
    }

    @Test("CONNECT opens a tunnel through the server that it is sent to")
    func connect() async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            #expect(head.hasPrefix("CONNECT 127.0.0.1:"))
            try connection.send("HTTP/1.1 200 OK\r\n\r\nwelcome")
            _ = try? connection.readToEnd()
        }
        let head = HTTPRequest(method: .connect, scheme: "http", authority: "127.0.0.1:\(server.port)", path: nil)
        guard case .upgraded(_, let stream, _) = try await transport.upgrade(TransportRequest(head)) else {
            Issue.record("the tunnel was declined")
            return
        }
        #expect(try await stream.read() == Data("welcome".utf8))
    }

    @Test("closing a stream wakes its reader, and dropping it closes the connection")
    func close() async throws {
        let ended = Signal()
        let server = try echoing("", ended)
        guard case .upgraded(_, let stream, _) = try await transport.upgrade(upgrade(server.origin)) else { return }
        let reader = Task { () -> Bool in
            do { return try await stream.read() == nil } catch { return true }
        }
        try await Task.sleep(for: .milliseconds(50))
        stream.close()
        #expect(await reader.value)
        await #expect(throws: TransportError.self) { try await stream.write(Data("x".utf8)) }
        #expect(try await eventually { ended.isUp })
    }

    @Test("reading and writing go on at once, with backpressure both ways")
    func duplex() async throws {
        let server = try echoing()
        guard case .upgraded(_, let stream, _) = try await transport.upgrade(upgrade(server.origin)) else { return }
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

    @Test("a server that switches protocols unasked, or a request for no upgrade, is refused")
    func unasked() async throws {
        let server = try echoing()
        #expect(await transport.failure(of: TransportRequest(.get, server.origin))?.code == .malformedResponse)
        #expect(await transport.failure(of: upgrade(server.origin))?.code == .malformedResponse)
        await #expect(throws: TransportError.self) {
            try await transport.upgrade(TransportRequest(.get, server.origin))
        }
        let head = HTTPRequest(method: .connect, scheme: "http", authority: "127.0.0.1:\(server.port)", path: nil)
        #expect(await transport.failure(of: TransportRequest(head))?.code == .invalidRequest)
    }
}
