import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("HTTP/2 answers before the end of the request (RFC 9113 §8.1)", .timeLimit(.minutes(1)))
struct EarlyAnswers {
    let transport = SocketTransport()

    /// Reads a head and as much content as the first window allows. Returns the stream.
    private static func readWindow(_ connection: ScriptedConnection) throws -> UInt32 {
        try connection.beginHTTP2()
        let stream = try connection.readFrame(1).stream
        var count = 0
        while count < 65_535 { count += try connection.readFrame(0).payload.count }
        return stream
    }

    @Test("content that the server has no room for does not delay its answer, and its stream is reset")
    func withoutRoom() async throws {
        let server = try ScriptedServer { connection in
            let stream = try Self.readWindow(connection)
            try connection.send([.headers([(":status", "413")], end: true, stream: stream)])
            let reset = try connection.readFrame(3)
            guard reset.stream == stream, reset.number == 0 else { throw PeerFault(description: "reset was \(reset)") }
            try connection.answerAll()
        }
        let body = RequestBody.bytes(Data(repeating: 1, count: 100_000))
        let (response, _) = try await transport.fetch(.http2(server, body: body))
        #expect(response.head.status.code == 413)
        #expect(try await transport.text(.http2(server)) == "ok")
        #expect(server.connections.count == 1)
        #expect(server.failures.isEmpty)
    }

    @Test("content follows while the response is read, if the server makes room only then")
    func roomDuringTheResponse() async throws {
        let server = try ScriptedServer { connection in
            let stream = try Self.readWindow(connection)
            try connection.send([.ok(stream: stream), .data("first ", stream: stream)])
            try connection.send([.windowUpdate(65_535), .windowUpdate(65_535, stream: stream)])
            var frame = try connection.readFrame(0)
            while frame.flags & HTTP2Frame.endStream == 0 { frame = try connection.readFrame(0) }
            try connection.send([.data("last", end: true, stream: stream)])
            try connection.answerAll()
        }
        let body = RequestBody.bytes(Data(repeating: 1, count: 100_000))
        #expect(try await transport.text(.http2(server, body: body)) == "first last")
        #expect(server.failures.isEmpty)
    }

    @Test("a stream that is refused during its upload was not processed (RFC 9113 §8.7)", arguments: 0..<20)
    func refusedUpload(_: Int) async throws {
        let server = try ScriptedServer { connection in
            let stream = try Self.readWindow(connection)
            try connection.send([.reset(7, stream: stream)])
            _ = try? connection.readToEnd()
        }
        let pieces = AsyncStream<Data> { continuation in
            for _ in 0..<20 { continuation.yield(Data(repeating: 1, count: 16_384)) }
            continuation.finish()
        }
        let error = try #require(await transport.failure(of: .http2(server, body: .sequence(pieces))))
        #expect(error.processing == .notProcessed)
        #expect(error.message.contains("REFUSED_STREAM"))
    }
}
