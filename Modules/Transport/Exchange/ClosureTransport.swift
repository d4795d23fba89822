/// A transport made from a closure: a test double, a stub or a small custom engine.
///
/// ```swift
/// let transport = ClosureTransport { request in
///     TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
/// }
/// let session = Session(transport: transport)
/// ```
///
/// A request that needs a feature the transport does not claim is refused before the closure is called.
public struct ClosureTransport: Transport {
    /// Answers a request, or throws the error that the exchange failed with.
    public typealias Answer = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    /// The capabilities that the transport claims.
    public let capabilities: TransportCapabilities

    /// The clock of the transport.
    public let clock: any TransportClock

    private let answer: Answer

    /// Creates a transport that answers each request with `answer`.
    ///
    /// - Parameters:
    ///   - engine: The engine's name in errors and metrics.
    ///   - features: The features that the transport claims; all by default.
    ///   - clock: The clock that times waits on the transport's behalf; the system's by default.
    ///   - answer: Called once per request, concurrently if requests are concurrent.
    public init(
        engine: String = "closure",
        features: TransportFeatures = .all,
        clock: any TransportClock = SystemClock.shared,
        _ answer: @escaping Answer
    ) {
        capabilities = TransportCapabilities(engine: engine, features: features)
        self.clock = clock
        self.answer = answer
    }

    /// Returns the closure's response to `request`.
    ///
    /// - Throws: The closure's error, or one that names the feature that the transport lacks.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request.prepared(on: clock)
        // Beneath the sink: the closure may report the same phases itself.
        request.record(.started(request.head), on: clock)
        do throws(TransportError) {
            try capabilities.accept(&request, on: clock)
            var response = try await answer(request)
            request.record(.responseHead(response.receivedHead ?? response.head, byteCount: nil), on: clock)
            response.timelines = response.timelines ?? request.timelines
            response.exchange = response.exchange ?? request.exchange
            return response
        } catch {
            request.record(.failed(error), on: clock)
            throw error
        }
    }
}
