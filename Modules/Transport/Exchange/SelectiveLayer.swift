internal import HTTPTypes

/// A layer that can tell without waiting whether it has anything to do.
///
/// Most layers have nothing to do for most requests. `LayerStack` of AirframeLayers asks all of them in two synchronous
/// passes, one over the request and one over the response, and calls the engine directly if none has work. An idle
/// layer then costs the two questions and no asynchronous call.
///
/// A layer answers both questions from the message, its settings and its own state, quickly. A layer that answers no to
/// the first is not needed before the response is there.
public protocol SelectiveLayer: TransportLayer {
    /// Whether the layer has something to do before or while `request` is sent.
    func mustPerform(_ request: TransportRequest) -> Bool

    /// Sends a request that ``mustPerform(_:)`` is `true` for.
    ///
    /// - Throws: What ``Transport/send(_:)`` throws.
    func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Whether the layer has something to do with the response to a request that it did not perform.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code, which the head stores as text.
    ///   - request: The request, as it was sent.
    func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool

    /// Does what ``mustProcess(_:status:to:)`` is `true` for.
    ///
    /// - Returns: The response for the layer above.
    /// - Throws: What ``Transport/send(_:)`` throws.
    func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse
}

extension SelectiveLayer {
    /// Sends `request` and does the layer's work, if there is any.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if mustPerform(request) { return try await perform(request) }
        let response = try await base.send(request)
        guard mustProcess(response, status: response.head.status.code, to: request) else { return response }
        return try await process(response, to: request)
    }
}
