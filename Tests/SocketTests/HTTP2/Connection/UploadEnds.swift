import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import Testing

@Suite("The end of uploads that use up a window of HTTP/2 (RFC 9113 §6.9.1)", .timeLimit(.minutes(1)))
struct UploadEnds {
    private static let size = 200_000

    private func transport() -> SocketTransport {
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        return SocketTransport(configuration: configuration)
    }

    private static func begin(_ connection: ScriptedConnection) throws -> UInt32 {
        try connection.beginHTTP2([(3, 1), (4, UInt32(size))])
        try connection.send([.windowUpdate(UInt32(size) - 65_535)])
        return try connection.readFrame(1).stream
    }

    @Test("needs no credit if the length is known")
    func knownLength() async throws {
        let server = try ScriptedServer { connection in
            let stream = try Self.begin(connection)
            var count = 0
            while true {
                let frame = try connection.readFrame(0)
                count += frame.payload.count
                if frame.flags & HTTP2Frame.endStream != 0 { break }
            }
            try connection.send([.ok(stream: stream), .data("\(count)", end: true, stream: stream)])
            try connection.answerAll()
        }
        let body = RequestBody.bytes(Data(repeating: 1, count: Self.size))
        let transport = transport()
        #expect(try await transport.text(.http2(server, body: body)) == "\(Self.size)")
        #expect(try await transport.text(.http2(server)) == "ok")
        #expect(server.connections.count == 1)
    }

    @Test("does not keep the place of the stream once the server has answered, if it cannot be sent")
    func unknownLength() async throws {
        let server = try ScriptedServer { connection in
            let stream = try Self.begin(connection)
            var count = 0
            while count < Self.size { count += try connection.readFrame(0).payload.count }
            try connection.send([.ok(stream: stream), .data("early", end: true, stream: stream)])
            try connection.answerAll()
        }
        let pieces = AsyncStream<Data> { continuation in
            for _ in 0..<20 { continuation.yield(Data(repeating: 1, count: Self.size / 20)) }
            continuation.finish()
        }
        let transport = transport()
        #expect(try await transport.text(.http2(server, body: .sequence(pieces))) == "early")
        #expect(try await transport.text(.http2(server)) == "ok")
        #expect(server.connections.count == 1)
        #expect(server.failures.isEmpty)
    }
}
