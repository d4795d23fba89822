import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

/// Informational responses (RFC 9110 §15.2) and the limits on time.
@Suite("Limits and informational responses", .timeLimit(.minutes(1)))
struct InformationalResponseTests {
    private static let limit = Duration.milliseconds(300)

    /// A request with content in chunks, each of which takes more than the limit.
    private func upload(to server: ScriptedServer) -> TransportRequest {
        let source = ChunkSource(["a", "b"], delay: .milliseconds(700))
        return TransportRequest(.post, server.origin, body: .oneShot(source))
    }

    @Test(
        "an informational response during an upload does not start the limit on idle reading",
        arguments: TestedEngine.allCases, ["100 Continue", "103 Early Hints"]
    )
    func upload(_ engine: TestedEngine, _ status: String) async throws {
        let transport = engine.transport
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 \(status)\r\n\r\n")
            _ = try connection.readChunkedBody()
            try connection.respond(body: "whole")
        }
        let request = upload(to: server).with { $0.options.limits.readIdle = Self.limit }
        #expect(try await transport.text(request) == "whole")
        await transport.shutdown()
    }

    @Test(
        "the limit on idle reading applies to a head that begins during an upload once the request is sent",
        arguments: TestedEngine.allCases
    )
    func partialHead(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let isWhole = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\n")
            _ = try connection.readChunkedBody()
            isWhole.raise()
            connection.waitForEnd()
        }
        let request = upload(to: server).with {
            $0.options.limits.readIdle = Self.limit
            $0.options.deadline = .seconds(20)
        }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .timedOut)
        #expect(error.phase == .responseHead)
        #expect(error.message.contains("300 ms"), "\(error)")
        #expect(try await eventually { isWhole.isUp })
        await transport.shutdown()
    }

    @Test(
        "the limit on idle reading starts with the end of a request whose response begins earlier",
        arguments: TestedEngine.allCases
    )
    func earlyHead(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            _ = try connection.readChunkedBody()
            try connection.send("whole")
            connection.waitForEnd()
        }
        let request = upload(to: server).with { $0.options.limits.readIdle = Self.limit }
        #expect(try await transport.text(request) == "whole")
        await transport.shutdown()
    }

    @Test(
        "the limit on idle reading starts with the end of the source, not with its last piece, after an early head",
        arguments: TestedEngine.allCases
    )
    func lateEnd(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            _ = try connection.readChunkedBody()
            connection.pause(.milliseconds(1200))
            try connection.send("whole")
            connection.waitForEnd()
        }
        // The end follows the piece after 1.6 s.
        let source = ChunkSource(["a"], delay: .milliseconds(1600))
        let request = TransportRequest(.post, server.origin, body: .oneShot(source)).with {
            $0.options.limits.readIdle = .seconds(2)
        }
        #expect(try await transport.text(request) == "whole")
        await transport.shutdown()
    }

    @Test(
        "the end of a request is reported once, also if its response begins earlier",
        arguments: TestedEngine.allCases
    )
    func requestFinished(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            _ = try connection.readChunkedBody()
            try connection.send("whole")
            connection.waitForEnd()
        }
        let log = EventLog()
        #expect(try await transport.text(upload(to: server).with { $0.events = log }) == "whole")
        let names = log.names.filter { ["responseHead", "requestFinished", "released"].contains($0) }
        #expect(names == ["responseHead", "requestFinished", "released"])
        await transport.shutdown()
    }

    @Test("a wait for 100 Continue below zero is none", arguments: TestedEngine.allCases)
    func negativeWait(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let server = try ScriptedServer { connection in
            try connection.readHead()
            _ = try connection.readChunkedBody()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let request = upload(to: server).with { $0.options.expectContinue = .always(wait: .seconds(-100_000_000_000)) }
        #expect(try await transport.text(request) == "ok")
        await transport.shutdown()
    }

    @Test(
        "a request with empty content ends with its head, and does not expect 100 Continue",
        arguments: TestedEngine.allCases
    )
    func emptyContent(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let server = try ScriptedServer { connection in
            try connection.readHead()
            connection.waitForEnd()
        }
        let log = EventLog()
        let request = TransportRequest(.post, server.origin, body: .bytes(Data())).with {
            $0.options.limits.firstByte = Self.limit
            $0.options.deadline = .seconds(20)
            $0.options.expectContinue = .always(wait: .seconds(10))
            $0.events = log
        }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .timedOut)
        #expect(error.phase == .responseHead)
        #expect(error.message.contains("300 ms"), "\(error)")
        #expect(log.names.suffix(3) == ["requestHeadSent", "requestFinished", "failed"])
        #expect(server.connections.first?.receivedText.lowercased().contains("expect:") == false)
        await transport.shutdown()
    }

    @Test(
        "while the server accepts no content after an early head, only the limit on idle writing applies",
        arguments: TestedEngine.allCases, [true, false]
    )
    func stalledUpload(_ engine: TestedEngine, _ limitsWriting: Bool) async throws {
        let transport = engine.transport
        let isOver = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            isOver.wait()
        }
        // More than the buffers of both sockets hold.
        let body = RequestBody.bytes(Data(count: 64 << 20))
        let request = TransportRequest(.post, server.origin, body: body).with {
            if limitsWriting {
                $0.options.limits.writeIdle = Self.limit
                $0.options.deadline = .seconds(20)
            } else {
                $0.options.limits.readIdle = Self.limit
                $0.options.deadline = .milliseconds(1500)
            }
        }
        let error = try #require(await transport.failure(of: request))
        isOver.raise()
        #expect(error.code == .timedOut)
        if limitsWriting { #expect(error.phase == .requestBody) }
        #expect(error.message.contains(limitsWriting ? "300 ms" : "deadline of 1.5 s"), "\(error)")
        await transport.shutdown()
    }

    @Test(
        "after an informational response, the limit on the first byte applies to the final one",
        arguments: TestedEngine.allCases, [false, true]
    )
    func firstByte(_ engine: TestedEngine, _ hasContent: Bool) async throws {
        let transport = engine.transport
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
            if hasContent { _ = try connection.readChunkedBody() }
            connection.waitForEnd()
        }
        let request = (hasContent ? upload(to: server) : TransportRequest(.get, server.origin)).with {
            $0.options.limits.firstByte = Self.limit
            $0.options.deadline = .seconds(20)
        }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .timedOut)
        #expect(error.phase == .responseHead)
        #expect(error.message.contains("300 ms"), "\(error)")
        await transport.shutdown()
    }
}
