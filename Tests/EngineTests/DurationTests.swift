import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Durations beyond the range of the clock", .timeLimit(.minutes(1)))
struct DurationTests {
    private static let durations: [Duration] = [
        .zero, .seconds(-1), .nanoseconds(Int64.max), .seconds(Int64.max), .seconds(Int64.min), .seconds(1e20),
        .seconds(-1e20),
    ]

    @Test("are clamped in each setting of an engine", arguments: durations)
    func configuration(_ duration: Duration) async throws {
        var sockets = SocketTransport.Configuration()
        sockets.idleConnectionAge = duration
        sockets.connectionAge = duration
        sockets.addressAge = duration
        sockets.connectionAttemptDelay = duration
        sockets.keepAliveDelay = duration
        sockets.unacknowledgedDataLimit = duration
        var curl = CurlTransport.Configuration()
        curl.idleConnectionAge = duration
        let server = try ScriptedServer.answering()
        let transports: [any Transport] = [
            SocketTransport(configuration: sockets), CurlTransport(configuration: curl),
        ]
        for transport in transports {
            for _ in 0..<2 {
                // Two addresses, so that the delay between connection attempts matters.
                let request = TransportRequest(.get, at: "localhost:\(server.port)")
                #expect(try await transport.text(request) == "ok")
            }
            await transport.shutdown()
        }
    }

    @Test("are clamped in each option of a request", arguments: durations.filter { $0 > .zero }, TestedEngine.allCases)
    func options(_ duration: Duration, _ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport
        var request = TransportRequest(.get, at: "127.0.0.1:\(server.port)")
        request.options.deadline = duration
        request.options.limits.pool = duration
        request.options.limits.connect = duration
        request.options.limits.firstByte = duration
        request.options.limits.readIdle = duration
        request.options.limits.writeIdle = duration
        #expect(try await transport.text(request) == "ok")
        await transport.shutdown()
    }
}
