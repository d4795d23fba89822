/// A layer that decides synchronously whether a request needs it.
///
/// Most layers have nothing to do for most requests. `LayerStack` of AirframeLayers queries all of them in one
/// synchronous pass over the request, those that process responses (``ResponseProcessingLayer``) in a second one over
/// the response, and calls the engine directly if none has work. An idle layer then costs one call or two, and no
/// asynchronous one.
public protocol SelectiveLayer: TransportLayer {
    /// Returns whether the layer has work before `request` is sent or while it is in flight. Decides from the request,
    /// the layer's settings and its state, and must not block.
    func mustPerform(_ request: TransportRequest) -> Bool

    /// Sends a request for which ``mustPerform(_:)`` returned `true`.
    ///
    /// - Throws: The errors of ``Transport/send(_:)``.
    func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// The layer as a ``ResponseProcessingLayer``, which implements this; otherwise `nil`.
    var asResponseProcessingLayer: (any ResponseProcessingLayer)? { get }
}

/// A selective layer that also has work on some responses to requests that it did not perform.
public protocol ResponseProcessingLayer: SelectiveLayer {
    /// Returns whether the layer has work on the response to a request that it did not perform. Decides from the
    /// messages, the layer's settings and its state, and must not block.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code, which the head stores as text.
    ///   - request: The request, as it was sent.
    func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool

    /// Processes a response for which ``mustProcess(_:status:to:)`` returned `true`.
    ///
    /// - Returns: The response for the layer above.
    /// - Throws: The errors of ``Transport/send(_:)``.
    func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse
}

extension SelectiveLayer {
    /// The layer itself.
    public var asSelectiveLayer: (any SelectiveLayer)? { self }

    /// Returns `nil`: the layer processes no responses.
    public var asResponseProcessingLayer: (any ResponseProcessingLayer)? { nil }

    /// Sends `request` and does the layer's work, if there is any.
    ///
    /// - Throws: The errors of ``perform(_:)`` and of the transport beneath.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        mustPerform(request) ? try await perform(request) : try await base.send(request)
    }
}

extension ResponseProcessingLayer {
    /// The layer itself.
    public var asResponseProcessingLayer: (any ResponseProcessingLayer)? { self }

    /// Sends `request` and does the layer's work, if there is any.
    ///
    /// - Throws: The errors of ``SelectiveLayer/perform(_:)``, of ``process(_:to:)``, and of the transport beneath.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if mustPerform(request) { return try await perform(request) }
        let response = try await base.send(request)
        guard mustProcess(response, status: response.sharedHead.statusCode, to: request) else { return response }
        return try await process(response, to: request)
    }
}
