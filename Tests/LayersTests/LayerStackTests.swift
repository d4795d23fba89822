import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// A layer that does nothing and is not selective, so that no run absorbs it.
private struct PassThrough: TransportLayer {
    let base: any Transport

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await base.send(request)
    }
}

/// A selective layer without work, which becomes a part of a run.
private struct Idle: SelectiveLayer {
    let base: any Transport

    func mustPerform(_ request: TransportRequest) -> Bool { false }

    func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await base.send(request)
    }
}

@Suite("What is beneath redirects and HSTS", .timeLimit(.minutes(1)))
struct LayerStackTests {
    /// An engine that redirects every request to another host.
    private let engine = ScriptedTransport { .redirect(302, to: "http://other.test/", from: $0) }

    /// A store that knows `safe.test` as a host of HSTS.
    private let store: HSTSStore = {
        let store = HSTSStore()
        store.learn("max-age=1000", from: "safe.test", at: Date())
        return store
    }()

    private func fill(_ stack: inout LayerStack, redirects: Bool, hsts: Bool) {
        if redirects { stack.provide(.redirects) { RedirectLayer($0) } }
        if hsts { stack.provide(.strictTransportSecurity) { [store] in HSTSLayer($0, store: store) } }
    }

    @Test(
        "neither upgrades a request nor follows its redirect (RFC 6960 §A.1: responders are asked over http)",
        arguments: [(true, true), (true, false), (false, true)], [false, true]
    )
    func staysInTheClear(filled: (redirects: Bool, hsts: Bool), hasInnerLayers: Bool) async throws {
        var stack = LayerStack()
        fill(&stack, redirects: filled.redirects, hsts: filled.hsts)
        if hasInnerLayers {
            stack.provide(.authentication) { Idle(base: $0) }
            stack.provide(.cookies) { Idle(base: $0) }
            stack.provide(.monitoring) { PassThrough(base: $0) }
        }
        let beneath = LayerStack.beneathUpgrades(stack.transport(over: engine))
        let response = try await beneath.send(.to("http://safe.test/ocsp"))
        #expect(response.head.status.code == 302)
        #expect(engine.requests.map(\.url) == ["http://safe.test/ocsp"])
    }

    @Test("keeps the layers beneath")
    func keepsInnerLayers() {
        var stack = LayerStack()
        fill(&stack, redirects: true, hsts: true)
        stack.provide(.cookies) { Idle(base: $0) }
        stack.provide(.monitoring) { PassThrough(base: $0) }
        let beneath = LayerStack.beneathUpgrades(stack.transport(over: engine))
        #expect(Idle.isAround(beneath))
        #expect(PassThrough.isAround(beneath))
        #expect(!RedirectLayer.isAround(beneath))
        #expect(!HSTSLayer.isAround(beneath))
    }

    @Test("drops the layers above and between them, including replacements and additions")
    func dropsOuterLayers() {
        var stack = LayerStack()
        fill(&stack, redirects: true, hsts: true)
        stack.insert(above: .redirects) { PassThrough(base: $0) }
        stack.insert(below: .redirects) { PassThrough(base: $0) }
        stack.insert(below: .strictTransportSecurity) { Idle(base: $0) }
        let beneath = LayerStack.beneathUpgrades(stack.transport(over: engine))
        #expect(!PassThrough.isAround(beneath))
        #expect(Idle.isAround(beneath))
    }

    @Test("is the transport itself without either of them")
    func withoutEither() throws {
        var stack = LayerStack()
        stack.provide(.cookies) { PassThrough(base: $0) }
        let beneath = LayerStack.beneathUpgrades(stack.transport(over: engine))
        #expect(beneath is PassThrough)
        #expect(LayerStack.beneathUpgrades(engine) is ScriptedTransport)
    }

    @Test("an ordinary request does not pass it: its hop is upgraded and followed")
    func ordinary() async throws {
        var stack = LayerStack()
        fill(&stack, redirects: true, hsts: true)
        let scripted = ScriptedTransport(redirecting: 302, to: "http://safe.test/end")
        _ = try await stack.transport(over: scripted).send(.to("http://safe.test/start"))
        #expect(scripted.requests.map(\.url) == ["https://safe.test/start", "https://safe.test/end"])
    }
}
