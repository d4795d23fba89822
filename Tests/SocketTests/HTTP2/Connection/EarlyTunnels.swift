import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Testing

@Suite("Tunnels on HTTP/2 connections whose SETTINGS have not been received (RFC 8441 §3)", .timeLimit(.minutes(1)))
struct EarlyTunnels {
    /// Answers requests, and opens tunnels.
    private static func answer(_ connection: ScriptedConnection) throws {
        while true {
            let head = try connection.readFrame(1)
            // The head of a request without content ends its stream.
            guard head.flags & HTTP2Frame.endStream != 0 else {
                try connection.send([.ok(stream: head.stream)])
                continue
            }
            try connection.send([.ok(stream: head.stream), .data("ok", end: true, stream: head.stream)])
        }
    }

    /// A server that sends its SETTINGS 100 ms after the preface.
    private func lateServer() throws -> ScriptedServer {
        try ScriptedServer { connection in
            guard try connection.read(HTTP2Frame.preface.count) == HTTP2Frame.preface else { return }
            connection.pause(.milliseconds(100))
            try connection.send([.settings([(8, 1)]), .settingsAcknowledged])
            try Self.answer(connection)
        }
    }

    private func tunnel(_ server: ScriptedServer) -> TransportRequest {
        .http2(server, "/chat").with { $0.upgrade = .webSocket }
    }

    @Test("wait for them on a connection that was opened in advance")
    func prepared() async throws {
        let server = try lateServer()
        let transport = SocketTransport()
        _ = try await transport.prepare(.http2(server))
        let stream = try #require(try await transport.send(tunnel(server)).stream)
        stream.close()
        #expect(server.connections.count == 1)
    }

    @Test("wait for them beside the first request")
    func besideRequest() async throws {
        let server = try lateServer()
        let transport = SocketTransport()
        async let text = transport.text(.http2(server))
        let stream = try #require(try await transport.send(tunnel(server)).stream)
        stream.close()
        let answer = try await text
        #expect(answer == "ok")
    }

    @Test("do not wait longer than the limit on connecting, nor after they are cancelled", arguments: [true, false])
    func interrupted(isCancelled: Bool) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.read(HTTP2Frame.preface.count)
            connection.waitForEnd()
        }
        let transport = SocketTransport()
        _ = try await transport.prepare(.http2(server))
        var request = tunnel(server)
        if !isCancelled { request.options.limits.connect = .milliseconds(50) }
        let task = Task { [request] in try await transport.send(request) }
        if isCancelled {
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
        }
        let error = await #expect(throws: TransportError.self) { _ = try await task.value }
        #expect(error?.code == (isCancelled ? .cancelled : .timedOut))
        #expect(error?.processing == .notSent)
    }

    @Test("fail if the connection ends first", arguments: [true, false])
    func ended(isOrderly: Bool) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.read(HTTP2Frame.preface.count)
            if isOrderly { connection.close() } else { connection.reset() }
        }
        let transport = SocketTransport()
        _ = try await transport.prepare(.http2(server))
        let error = try #require(await transport.failure(of: tunnel(server)))
        #expect(error.code == .connectionLost)
        #expect(error.processing == .notSent)
    }

    @Test("move to another connection if the server sends GOAWAY with its SETTINGS (RFC 9113 §6.8)")
    func goAway() async throws {
        let server = try ScriptedServer { connection in
            guard connection.index == 0 else {
                try connection.beginHTTP2([(8, 1)])
                return try Self.answer(connection)
            }
            guard try connection.read(HTTP2Frame.preface.count) == HTTP2Frame.preface else { return }
            // In one write, so that the client receives both before its first stream.
            try connection.send([.settings([(8, 1)]), .settingsAcknowledged, .goAway(last: 0)])
            connection.waitForEnd()
        }
        let transport = SocketTransport()
        let stream = try #require(try await transport.send(tunnel(server)).stream)
        stream.close()
        #expect(server.connections.count == 2)
    }

    @Test("fail with an error that names GOAWAY if all connections end so")
    func endlessGoAway() async throws {
        let server = try ScriptedServer { connection in
            guard try connection.read(HTTP2Frame.preface.count) == HTTP2Frame.preface else { return }
            try connection.send([.settings([(8, 1)]), .settingsAcknowledged, .goAway(last: 0)])
            connection.waitForEnd()
        }
        let error = try #require(await SocketTransport().failure(of: tunnel(server)))
        #expect(error.code == .connectionLost)
        #expect(error.message.contains("GOAWAY"))
        #expect(server.connections.count <= 4)
    }
}
