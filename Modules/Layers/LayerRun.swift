package import AirframeTransport
internal import HTTPTypes

/// A run of adjacent selective layers, which are queried in one pass over the request and one over the response. It
/// behaves like the nested layers.
///
/// A class, because an existential value stores a structure of this size in a box, whose contents are copied for each
/// call.
package final class LayerRun: TransportLayer {
    /// The outermost layer of the run, around the others.
    package let base: any Transport
    private let layers: [any SelectiveLayer]
    private let chain: LayerChain
    /// The innermost layer that processes responses.
    private let processor: ResponseProcessor?
    /// The transport beneath the layers.
    package let beneath: any Transport
    /// Stored, because the clock of the outermost layer calls through all of them.
    package let clock: any TransportClock

    private init?(_ transport: any Transport) {
        var (layers, beneath): ([any SelectiveLayer], any Transport) = ([], transport)
        while let layer = beneath.asLayer?.asSelectiveLayer {
            layers.append(layer)
            // Each layer has a run as its base, for requests that it performs itself.
            let base = layer.base
            beneath = type(of: base) == LayerRun.self ? (base as? LayerRun)?.base ?? base : base
        }
        guard layers.count > 1 else { return nil }
        var chain: LayerChain?
        for (position, layer) in layers.enumerated().reversed() {
            chain = LayerChain(layer, at: position, around: chain)
        }
        guard let chain else { return nil }
        var processor: ResponseProcessor?
        for (position, layer) in layers.enumerated() {
            guard let layer = layer.asResponseProcessingLayer else { continue }
            processor = ResponseProcessor(layer, at: position, inside: processor)
        }
        (base, self.layers, self.chain, self.processor) = (transport, layers, chain, processor)
        (self.beneath, clock) = (beneath, transport.clock)
    }

    /// Returns a run of `transport` and the selective layers beneath it; `transport` itself where there are fewer than
    /// two.
    static func shortening(_ transport: any Transport) -> any Transport { LayerRun(transport) ?? transport }

    /// Sends a request through the layers that have work.
    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await send(request, from: chain.firstToPerform(request))
    }

    /// Sends a request through the layers that have work, of which the first is known.
    ///
    /// - Parameter index: The result of ``firstToPerform(_:)``.
    package func send(
        _ request: TransportRequest,
        from index: Int
    ) async throws(TransportError) -> TransportResponse {
        // A layer that has work sends through the layers beneath it. The response is a constant: passing a variable to
        // each layer would copy it, 150 instructions a layer.
        let response = index < layers.count ? try await layers[index].perform(request) : try await beneath.send(request)
        guard index > 0, let first = firstProcessor(of: response, to: request, above: index) else { return response }
        return try await process(response, to: request, from: first)
    }

    // MARK: Steps

    // `send(_:)` in steps, for a caller that sends requests to `beneath` if no layer has work with them. It allocates
    // no frame for `send(_:)` then, which takes 400 instructions.

    /// Returns the position of the outermost layer that has work with a request; the end of the run if none has.
    package func firstToPerform(_ request: TransportRequest) -> Int { chain.firstToPerform(request) }

    /// Whether a position is the end of the run.
    package func isEnd(_ position: Int) -> Bool { position == layers.count }

    /// Returns the innermost layer that has work with the response to a request that was sent to ``beneath``; `nil` if
    /// none has.
    package func firstProcessor(of response: TransportResponse, to request: TransportRequest) -> ResponseProcessor? {
        firstProcessor(of: response, to: request, above: layers.count)
    }

    @inline(__always)
    private func firstProcessor(
        of response: TransportResponse,
        to request: TransportRequest,
        above end: Int
    ) -> ResponseProcessor? {
        processor?.first(toProcess: response, status: response.sharedHead.statusCode, to: request, above: end)
    }

    // Not inlined: its variables would be in the frame of every request, which is allocated in pieces of 984 bytes.
    @inline(never)
    package func process(
        _ response: TransportResponse,
        to request: TransportRequest,
        from first: ResponseProcessor
    ) async throws(TransportError) -> TransportResponse {
        var (response, next) = (response, Optional(first))
        while let processor = next {
            response = try await processor.layer.process(response, to: request)
            let status = response.sharedHead.statusCode
            next = processor.outer?.first(toProcess: response, status: status, to: request, above: processor.position)
        }
        return response
    }
}

/// A layer of a run, linked to the next inner one.
///
/// Immutable objects, because a call through an object's constant does not copy it. An element of an array is copied
/// for each call, which takes 80 instructions (`Docs/Decisions/0098-layers-in-a-chain.md`).
private final class LayerChain: Sendable {
    let layer: any SelectiveLayer
    let position: Int
    let inner: LayerChain?

    init(_ layer: any SelectiveLayer, at position: Int, around inner: LayerChain?) {
        self.layer = layer
        self.position = position
        self.inner = inner
    }

    /// Returns the position of the outermost layer that has work with a request; the number of layers if none has.
    func firstToPerform(_ request: TransportRequest) -> Int {
        if layer.mustPerform(request) { return position }
        return inner?.firstToPerform(request) ?? position + 1
    }
}

/// A layer of a run that processes responses, linked to the next outer one.
package final class ResponseProcessor: Sendable {
    fileprivate let layer: any ResponseProcessingLayer
    fileprivate let position: Int
    fileprivate let outer: ResponseProcessor?

    fileprivate init(_ layer: any ResponseProcessingLayer, at position: Int, inside outer: ResponseProcessor?) {
        self.layer = layer
        self.position = position
        self.outer = outer
    }

    /// Returns the innermost layer with work on a response, among those outside the one at `end`; `nil` if none has.
    fileprivate func first(
        toProcess response: TransportResponse,
        status: Int,
        to request: TransportRequest,
        above end: Int
    ) -> ResponseProcessor? {
        if position < end, layer.mustProcess(response, status: status, to: request) { return self }
        return outer?.first(toProcess: response, status: status, to: request, above: end)
    }
}
