import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("HTTP/2 limits on streams (RFC 9113 §5.1.2)", .timeLimit(.minutes(1)))
struct StreamLimits {
    private func transport() -> SocketTransport {
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        return SocketTransport(configuration: configuration)
    }

    private func answers(
        _ count: Int,
        of server: ScriptedServer,
        _ transport: SocketTransport
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { try await transport.text(.http2(server)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("streams that are refused because they came before the SETTINGS wait for room on the same connection")
    func excess() async throws {
        let (count, limit) = (20, 2)
        let server = try ScriptedServer { connection in
            guard try connection.read(HTTP2Frame.preface.count) == HTTP2Frame.preface else { return }
            var streams: [UInt32] = []
            while streams.count < count { streams.append(try connection.readFrame(1).stream) }
            try connection.send([.settings([(3 as UInt16, UInt32(limit))]), .settingsAcknowledged])
            for stream in streams.dropFirst(limit) { try connection.send([.reset(7, stream: stream)]) }
            for stream in streams.prefix(limit) {
                try connection.send([.ok(stream: stream), .data("ok", end: true, stream: stream)])
            }
            try connection.answerAll()
        }
        #expect(try await answers(count, of: server, transport()) == Array(repeating: "ok", count: count))
        #expect(server.connections.count == 1)
    }

    @Test("a new connection opens no more streams than the server allowed on the last one")
    func remembered() async throws {
        let server = try ScriptedServer { connection in
            guard connection.index > 0 else {
                try connection.beginHTTP2([(3, 2)])
                let stream = try connection.readFrame(1).stream
                try connection.send([
                    .ok(stream: stream), .data("ok", end: true, stream: stream), .goAway(last: stream),
                ])
                return
            }
            guard try connection.read(HTTP2Frame.preface.count) == HTTP2Frame.preface else { return }
            var streams: [UInt32] = []
            while streams.count < 2 { streams.append(try connection.readFrame(1).stream) }
            // The client answers after whatever it had written before.
            try connection.send([.settings([(3, 2)]), .ping])
            var frame = try connection.readFrame()
            while frame.type != 6 {
                guard frame.type != 1 else { throw PeerFault(description: "a third stream was opened") }
                frame = try connection.readFrame()
            }
            for stream in streams {
                try connection.send([.ok(stream: stream), .data("ok", end: true, stream: stream)])
            }
            try connection.answerAll()
        }
        let transport = transport()
        #expect(try await transport.text(.http2(server)) == "ok")
        #expect(try await answers(10, of: server, transport) == Array(repeating: "ok", count: 10))
        #expect(server.connections.count == 2)
        #expect(server.failures.isEmpty)
    }

    @Test("a connection that a WebSocket opens has the server's limit, not the assumed one")
    func besideWebSocket() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2([(3, 1), (8, 1)])
            let head = try connection.readFrame(1)
            try connection.send([.ok(stream: head.stream)])
            // The WebSocket's request has no end. Its connection answers no other.
            guard head.flags & 1 != 0 else { return connection.waitForEnd() }
            try connection.send([.data("ok", end: true, stream: head.stream)])
            try connection.answerAll()
        }
        let transport = SocketTransport()
        let upgrade = TransportRequest.http2(server, "/chat").with { $0.upgrade = .webSocket }
        let stream = try #require(try await transport.send(upgrade).stream)
        #expect(try await transport.text(.http2(server)) == "ok")
        #expect(server.connections.count == 2)
        stream.close()
    }

    @Test("if a server refuses all streams with a limit of 0, they move to a connection that assumes the usual limit")
    func none() async throws {
        let count = 3
        let server = try ScriptedServer { connection in
            guard try connection.read(HTTP2Frame.preface.count) == HTTP2Frame.preface else { return }
            var streams: [UInt32] = []
            while streams.count < count { streams.append(try connection.readFrame(1).stream) }
            guard connection.index > 0 else {
                let resets = streams.map { HTTP2Frame.reset(7, stream: $0) }
                try connection.send([HTTP2Frame.settings([(3, 0)]), .settingsAcknowledged] + resets)
                return connection.waitForEnd()
            }
            try connection.send([.settings(), .settingsAcknowledged])
            for stream in streams {
                try connection.send([.ok(stream: stream), .data("ok", end: true, stream: stream)])
            }
            try connection.answerAll()
        }
        #expect(try await answers(count, of: server, transport()) == Array(repeating: "ok", count: count))
        #expect(server.connections.count == 2)
    }

    @Test("a stream that is refused within the limit moves to another connection (RFC 9113 §8.7)")
    func refused() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2([(3, 100)])
            guard connection.index > 0 else {
                let stream = try connection.readFrame(1).stream
                try connection.send([.reset(7, stream: stream)])
                return try connection.answerAll()
            }
            try connection.answerAll()
        }
        #expect(try await transport().text(.http2(server)) == "ok")
        #expect(server.connections.count == 2)
    }
}
