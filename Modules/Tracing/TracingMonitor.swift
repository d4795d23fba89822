public import AirframeCore
public import AirframeTransport
public import Dispatch
public import Tracing

/// Traces the requests of a session: spans by OpenTelemetry's conventions for HTTP clients, and the trace's context in
/// the head of each attempt.
///
/// ```swift
/// let session = Session(transport: engine, eventMonitors: [TracingMonitor()])
/// ```
///
/// A request is a child of the span that was current in the task that made it. See ``TracingConfiguration`` for what is
/// recorded; Modules/Tracing/README.md lists spans and attributes.
public final class TracingMonitor: AccompanyingMonitor {
    private static let eventQueue = DispatchQueue(label: "airframe.tracingMonitor")

    /// What is recorded.
    public let configuration: TracingConfiguration

    private let tracer: (any Tracer)?

    /// Makes a monitor.
    ///
    /// - Parameters:
    ///   - tracer: Makes the spans. `nil` for the tracer of the task that makes the request (`withTracer`), or that of
    ///     the process (`InstrumentationSystem.bootstrap`).
    ///   - configuration: What is recorded.
    public init(tracer: (any Tracer)? = nil, configuration: TracingConfiguration = TracingConfiguration()) {
        self.configuration = configuration
        self.tracer = tracer
    }

    /// A queue of the monitor's own; no span is made on it.
    public var queue: DispatchQueue { Self.eventQueue }
    /// `true`: contexts go out with what is sent.
    public var isToldInPlace: Bool { true }
    /// Nothing: each request has a monitor of its own.
    public var monitoredEvents: MonitoredEvents { [] }

    /// What traces one request.
    public func monitoring(_ request: Request) -> RequestMonitoring {
        .own(
            RequestTrace(
                .current(tracer),
                clock: request.transportClock,
                configuration: configuration,
                recordsRequest: configuration.recordsRequests
            )
        )
    }

    /// The layer that makes a span of each attempt. `Session(transport:)` puts it in by itself.
    public func layer(over transport: any Transport) -> any Transport {
        TracingTransport(transport, tracer: tracer, configuration: configuration)
    }
}
