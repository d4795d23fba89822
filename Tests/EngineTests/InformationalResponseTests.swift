import AirframeConformance
import AirframeTestSupport
import AirframeTransport
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
