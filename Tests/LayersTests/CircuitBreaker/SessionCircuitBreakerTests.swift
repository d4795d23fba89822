import AirframeConformance
import AirframeCore
import AirframeLayers
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Sessions with a circuit breaker", .timeLimit(.minutes(1)))
struct SessionCircuitBreakerTests {
    @Test("a request is rejected while the circuit is open, and not retried for that")
    func session() async throws {
        let mock = MockTransport { Route("/").reply(.status(503)) }
        let breaker = CircuitBreaker(CircuitThresholds(minimumExchanges: 3, openDuration: .seconds(60)))
        let session = Session(transport: CircuitBreakerLayer(mock, breaker: breaker), interceptor: RetryPolicy())
        for _ in 0..<2 {
            _ = await session.request("http://api.test/").validate().serializingData().response
        }
        #expect(mock.requests(.get, "/").count == 3, "one request and its two retries")
        let response = await session.request("http://api.test/").serializingData().response
        #expect(response.error?.transportError?.code == .circuitOpen)
        #expect((response.error?.underlyingError as? URLError)?.code == .resourceUnavailable)
    }

    @Test("refused connections open the circuit, over each engine", arguments: TestedEngine.allCases)
    func engines(engine: TestedEngine) async throws {
        let server = try ScriptedServer { _ in }
        let url = server.origin + "/"
        server.stop()
        let breaker = CircuitBreaker(CircuitThresholds(minimumExchanges: 2))
        let layer = CircuitBreakerLayer(engine.transport, breaker: breaker)
        var codes: [TransportError.Code] = []
        for _ in 0..<3 {
            do { _ = try await layer.send(.to(url)) } catch { codes.append(error.code) }
        }
        #expect(codes == [.connectFailed, .connectFailed, .circuitOpen])
    }
}
