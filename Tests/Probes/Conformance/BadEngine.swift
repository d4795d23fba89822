import AirframeConformance
import AirframeTransport
import ConformanceEngines
import Glibc

/// Engines that would end or block the command if it ran them in its own process. Tests run it over them.
enum BadEngine {
    static let all = [
        // Traps in each request with a body, and sends the others.
        NamedEngine(name: "trapping") { TrappingTransport() },
        // Blocks the threads that tasks run on, for good.
        NamedEngine(name: "blocking") { BlockingTransport() },
    ]
}

private struct TrappingTransport: Transport {
    let base = NamedEngine.makeSockets()
    var capabilities: TransportCapabilities { base.capabilities }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        precondition(request.body.isNone, "no bodies yet")
        return try await base.send(request)
    }
}

private struct BlockingTransport: Transport {
    let capabilities = TransportCapabilities(engine: "blocking", features: .http1)

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        while true { pause() }
    }
}
