import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

@Suite("The circuit breaker layer", .timeLimit(.minutes(1)))
struct CircuitBreakerLayerTests {
    private static let thresholds = CircuitThresholds(
        minimumExchanges: 3, window: .seconds(10), openDuration: .seconds(5))
    private let clock = StillClock()

    private static func failure(_ code: TransportError.Code) -> TransportError {
        TransportError(code, phase: .connect, processing: .notSent, message: "as the test has it")
    }

    @Test("rejects requests to a failing origin, and admits a probe after its open duration")
    func opens() async throws {
        let status = Mutex(503)
        let base = ScriptedTransport(clock: clock) { request in
            let code = status.withLock { $0 }
            return TransportResponse(
                head: HTTPResponse(status: .init(code: code)), body: ResponseBody(), request: request.head)
        }
        let layer = CircuitBreakerLayer(base, breaker: CircuitBreaker(Self.thresholds))
        let log = EventLog()
        var request = TransportRequest.to("http://api.test/")
        request.events = log
        for _ in 0..<3 { _ = try await layer.send(request) }
        let error = await #expect(throws: TransportError.self) { _ = try await layer.send(request) }
        #expect(error?.code == .circuitOpen)
        #expect(error?.processing == .notSent)
        #expect("\(try #require(error))".contains("it admits a probe in 5.0 seconds"))
        #expect(base.requests.count == 3)
        // Another origin has its own circuit.
        _ = try await layer.send(.to("http://other.test/"))
        #expect(base.requests.count == 4)
        clock.advance(by: .seconds(5))
        status.withLock { $0 = 200 }
        #expect(try await layer.send(request).head.status == .ok)
        #expect(try await layer.send(request).head.status == .ok)
        #expect(
            log.decisions.map { "\($0)" } == [
                "circuitOpened: 3 of 3 exchanges failed within 10.0 seconds",
                "circuitHalfOpened: it was open for 5.0 seconds; this request probes the server",
                "circuitClosed: 1 of 1 probes succeeded",
            ])
    }

    @Test(
        "counts errors of the server, and no others",
        arguments: [
            (TransportError.Code.connectFailed, true), (.timedOut, true), (.connectionLost, true),
            (.nameResolutionFailed, true), (.tlsFailed, true), (.malformedResponse, true),
            (.cancelled, false), (.unsupportedOption, false), (.bodyFailed, false), (.networkUnreachable, false),
            (.trustRefused, false),
        ]
    )
    func errors(code: TransportError.Code, opens: Bool) async {
        let base = ScriptedTransport(clock: clock) { _ throws(TransportError) in throw Self.failure(code) }
        let breaker = CircuitBreaker(Self.thresholds)
        let layer = CircuitBreakerLayer(base, breaker: breaker)
        for _ in 0..<3 { _ = try? await layer.send(.to("http://api.test/")) }
        #expect(breaker.state(of: Origin(scheme: "http", host: "api.test")) == (opens ? .open : .closed))
    }

    @Test("shares its circuits with other layers, and resets them on request")
    func shared() async throws {
        let breaker = CircuitBreaker(Self.thresholds)
        let origin = Origin(scheme: "http", host: "api.test")
        let failing = CircuitBreakerLayer(
            ScriptedTransport(clock: clock) { _ throws(TransportError) in throw Self.failure(.connectFailed) },
            breaker: breaker
        )
        let working = CircuitBreakerLayer(ScriptedTransport(clock: clock) { .ok($0) }, breaker: breaker)
        for _ in 0..<3 { _ = try? await failing.send(.to("http://api.test/")) }
        await #expect(throws: TransportError.self) { _ = try await working.send(.to("http://api.test/")) }
        breaker.reset(origin)
        #expect(try await working.send(.to("http://api.test/")).head.status == .ok)
    }
}
