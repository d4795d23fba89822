import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Delays over HTTP/2 without TLS", .timeLimit(.minutes(1)), .enabled(if: Peers.areExpected))
struct DelayTests {
    @Test("small responses of nginx do not wait for delayed acknowledgements (RFC 1122 §4.2.3.2)")
    func acknowledgements() async throws {
        let request = TransportRequest(.get, try Peers.required().http("h2c") + "/static/64.bin").with {
            $0.options.httpVersion = .http2PriorKnowledge
        }
        let transport = SocketTransport()
        _ = try await transport.fetch(request)
        var fastest = Duration.seconds(1)
        for _ in 0..<50 {
            let start = ContinuousClock.now
            #expect(try await transport.fetch(request).body.count == 64)
            fastest = min(fastest, ContinuousClock.now - start)
        }
        // A delayed acknowledgement takes at least 40 ms for each response.
        #expect(fastest < .milliseconds(20))
        #expect(transport.statistics.connectionCount == 1)
    }
}
