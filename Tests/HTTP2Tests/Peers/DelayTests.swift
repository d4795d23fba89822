import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Delays over HTTP/2 in the clear", .timeLimit(.minutes(1)), .enabled(if: Peers.areExpected))
struct DelayTests {
    @Test("small responses of nginx do not wait for delayed acknowledgements (RFC 1122 §4.2.3.2)")
    func acknowledgements() async throws {
        let request = TransportRequest(.get, try Peers.required().http("h2c") + "/static/64.bin").with {
            $0.options.httpVersion = .http2PriorKnowledge
        }
        let transport = SocketTransport()
        _ = try await transport.fetch(request)
        let start = ContinuousClock.now
        for _ in 0..<50 { #expect(try await transport.fetch(request).body.count == 64) }
        // With a delay of 40 ms for each it would be 2 s.
        #expect(ContinuousClock.now - start < .seconds(1))
        #expect(transport.statistics.connectionCount == 1)
    }
}
