public import AirframeTransport
internal import HTTPTypes
public import Tracing

/// Creates a span for each exchange, with children for its phases, and writes the trace's context to its head.
///
/// A session with a ``TracingMonitor`` has this layer around its transport. Without a session, the span is a child of
/// the current span of the task that calls ``send(_:)``.
///
/// ```swift
/// let transport = TracingTransport(SocketTransport())
/// ```
///
/// The layer belongs beneath the layers that send a request more than once (redirects, authentication), so that each
/// attempt has its own span and context.
public struct TracingTransport: TransportLayer {
    /// The wrapped transport.
    public let base: any Transport
    /// The content of traces.
    public let configuration: TracingConfiguration

    private let tracer: (any Tracer)?

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - tracer: Creates the spans; `nil` for the tracer of the task or of the process.
    ///   - configuration: The content of traces.
    public init(
        _ base: any Transport,
        tracer: (any Tracer)? = nil,
        configuration: TracingConfiguration = TracingConfiguration()
    ) {
        self.base = base
        self.tracer = tracer
        self.configuration = configuration
    }

    /// Sends `request` within a span that ends with the last byte of the response's body.
    ///
    /// - Throws: The errors of the transport beneath, which the span records.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let trace = request[RequestTrace.Key.self] ?? soleTrace()
        let attempt = trace.beginAttempt(request, clock: clock)
        var request = request
        attempt.inject(into: &request.head)
        request.events = attempt
        // Nested requests (a revocation list, a token) are part of the span.
        let result = await ServiceContext.withValue(attempt.context) {
            await base.sendForResult(request)
        }
        switch result {
        case .success: attempt.sendDidReturn()
        case .failure(let error): attempt.sendDidThrow(error)
        }
        return try result.get()
    }

    private func soleTrace() -> RequestTrace {
        RequestTrace(.current(tracer), clock: clock, configuration: configuration, recordsRequest: false)
    }
}

extension Transport {
    /// Sends the request and returns the error as a value: closures that rethrow lose its type.
    fileprivate func sendForResult(_ request: TransportRequest) async -> Result<TransportResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }
}
