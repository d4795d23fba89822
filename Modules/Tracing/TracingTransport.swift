public import AirframeTransport
internal import HTTPTypes
public import Tracing

/// Makes a span of each exchange, with children for its phases, and writes the trace's context into its head.
///
/// A session with a ``TracingMonitor`` has this layer around its transport. Without a session it works on its own: the
/// span is a child of the one that is current where ``send(_:)`` is called.
///
/// ```swift
/// let transport = TracingTransport(SocketTransport())
/// ```
///
/// It belongs beneath the layers that send a request more than once (redirects, authentication), so that each attempt has
/// its own span and context.
public struct TracingTransport: TransportLayer {
    /// The transport beneath.
    public let base: any Transport
    /// What is recorded.
    public let configuration: TracingConfiguration

    private let tracer: (any Tracer)?

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - tracer: Makes the spans; `nil` for the tracer of the task, or of the process.
    ///   - configuration: What is recorded.
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
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let trace = request[RequestTrace.Key.self] ?? soleTrace()
        let attempt = trace.beginAttempt(request, clock: clock)
        var request = request
        attempt.inject(into: &request.head)
        request.events = attempt
        // Who asks for more while this is sent (a revocation list, a token) is part of it.
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
    /// Sends, and returns the error instead of throwing it: closures that rethrow forget its type.
    fileprivate func sendForResult(_ request: TransportRequest) async -> Result<TransportResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }
}
