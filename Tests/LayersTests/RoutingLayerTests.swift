import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("The routing layer", .timeLimit(.minutes(1)))
struct RoutingLayerTests {
    private let clock = StillClock()

    @Test("sends a request through the transport that its rule chooses, and reports the decision")
    func routes() async throws {
        let (general, special) = (
            ScriptedTransport(engine: "general") { .ok($0) }, ScriptedTransport(engine: "special") { .ok($0) }
        )
        let layer = RoutingLayer(default: general) { $0.authority == "special.test" ? special : nil }
        let log = EventLog()
        for url in ["http://special.test/a", "http://api.test/b"] {
            var request = TransportRequest.to(url)
            request.events = log
            _ = try await layer.send(request)
        }
        #expect(special.requests.map(\.url) == ["http://special.test/a"])
        #expect(general.requests.map(\.url) == ["http://api.test/b"])
        #expect(log.words == ["routed to special (the rule chose it for this request)"])
    }

    @Test("has the capabilities and the clock of its fallback, and shuts down only that one")
    func fallback() async {
        let general = ScriptedTransport(engine: "general", clock: clock) { .ok($0) }
        let special = ScriptedTransport(engine: "special") { .ok($0) }
        let layer = RoutingLayer(default: general) { _ in special }
        #expect(layer.capabilities.engine == "general")
        #expect(layer.clock is StillClock)
        await layer.shutdown()
        #expect(general.shutdownCount == 1)
        #expect(special.shutdownCount == 0)
    }

    @Test("throws the errors of the chosen transport")
    func errors() async {
        let general = ScriptedTransport { .ok($0) }
        let special = ScriptedTransport { _ throws(TransportError) in
            throw TransportError(.connectFailed, phase: .connect, processing: .notSent, message: "refused")
        }
        let layer = RoutingLayer(default: general) { _ in special }
        let error = await #expect(throws: TransportError.self) { try await layer.send(.to("http://api.test/")) }
        #expect(error?.code == .connectFailed)
        #expect(general.requests.isEmpty)
    }

    @Test("routes each hop again inside a redirect layer")
    func beneathRedirects() async throws {
        let general = ScriptedTransport(redirecting: 302, to: "http://special.test/next")
        let special = ScriptedTransport(engine: "special") { .ok($0) }
        let layer = RedirectLayer(RoutingLayer(default: general) { $0.authority == "special.test" ? special : nil })
        _ = try await layer.send(.to("http://api.test/"))
        #expect(special.requests.map(\.url) == ["http://special.test/next"])
    }
}
