import AirframeTransport
import HTTPTypes

/// An engine without a network: a closure.
struct ClosureTransport: Transport {
    let capabilities = TransportCapabilities(engine: "closure", features: [])
    let answer: @Sendable (HTTPRequest) -> TransportResponse

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try capabilities.requireSupport(for: request)
        return answer(request.head)
    }
}
