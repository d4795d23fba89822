internal import AirframeTransport
internal import HTTPTypes

/// A run of selective layers, asked in two passes. It behaves as its layers do, one inside the other.
struct LayerRun: TransportLayer {
    /// The outermost layer of the run, around the others.
    let base: any Transport
    private let layers: [any SelectiveLayer]
    private let beneath: any Transport

    private init?(_ transport: any Transport) {
        var (layers, beneath): ([any SelectiveLayer], any Transport) = ([], transport)
        while let layer = beneath as? any SelectiveLayer {
            layers.append(layer)
            // Each layer has a run as its base, for requests that it performs itself.
            beneath = (layer.base as? LayerRun)?.base ?? layer.base
        }
        guard layers.count > 1 else { return nil }
        (base, self.layers, self.beneath) = (transport, layers, beneath)
    }

    /// Returns a run of `transport` and the selective layers beneath it; `transport` itself where there are fewer than
    /// two.
    static func shortening(_ transport: any Transport) -> any Transport { LayerRun(transport) ?? transport }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var index = 0
        while index < layers.count, !layers[index].mustPerform(request) { index += 1 }
        // A layer that has work sends through the layers beneath itself.
        var response = index < layers.count ? try await layers[index].perform(request) : try await beneath.send(request)
        guard index > 0 else { return response }
        var status = response.head.status.code
        while index > 0 {
            index -= 1
            guard layers[index].mustProcess(response, status: status, to: request) else { continue }
            response = try await layers[index].process(response, to: request)
            status = response.head.status.code
        }
        return response
    }
}
