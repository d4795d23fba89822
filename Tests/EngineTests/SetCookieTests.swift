import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

/// RFC 6265bis §5.6 ignores a `Set-Cookie` field with a control character. No layer can: `HTTPField` makes spaces of
/// them. The engines refuse the whole response, as one with an invalid field value (RFC 9110 §5.5).
@Suite("Set-Cookie fields with control characters", .timeLimit(.minutes(1)))
struct SetCookieTests {
    private static let controls = (0...0x1F).filter { ![0x09, 0x0A, 0x0D].contains($0) } + [0x7F]

    @Test("are rejected by every engine (RFC 6265bis §5.6)", arguments: TestedEngine.allCases)
    func refused(_ engine: TestedEngine) async throws {
        for control in Self.controls {
            let character = Character(Unicode.Scalar(UInt8(control)))
            let server = try ScriptedServer { connection in
                try connection.readHead()
                try connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\(character)c\r\nContent-Length: 0\r\n\r\n")
            }
            let transport = engine.transport
            let error = await transport.failure(of: TransportRequest(.get, at: "127.0.0.1:\(server.port)"))
            #expect(error?.code == .malformedResponse, "\(control)")
            await transport.shutdown()
        }
    }

    @Test("a tab is passed on (RFC 6265bis §5.6)", arguments: TestedEngine.allCases)
    func tab(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\tc\r\nContent-Length: 0\r\n\r\n")
        }
        let transport = engine.transport
        let response = try await transport.send(TransportRequest(.get, at: "127.0.0.1:\(server.port)"))
        #expect(response.head.headerFields[.setCookie] == "a=b\tc")
        await transport.shutdown()
    }
}
