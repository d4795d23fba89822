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
/// A request is a child of the current span of the task that created it. ``TracingConfiguration`` decides what is
/// recorded; Modules/Tracing/README.md lists spans and attributes.
public final class TracingMonitor: AccompanyingMonitor {
    private static let eventQueue = DispatchQueue(label: "airframe.tracingMonitor")

    /// The content of traces.
    public let configuration: TracingConfiguration

    private let tracer: (any Tracer)?

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - tracer: Creates the spans; `nil` for the tracer of the task that creates the request (`withTracer`) or of
    ///     the process (`InstrumentationSystem.bootstrap`).
    ///   - configuration: The content of traces.
    public init(tracer: (any Tracer)? = nil, configuration: TracingConfiguration = TracingConfiguration()) {
        self.configuration = configuration
        self.tracer = tracer
    }

    /// The monitor's own queue. No span is created on it.
    public var queue: DispatchQueue { Self.eventQueue }
    /// `true`: contexts are sent with the request.
    public var isCalledSynchronously: Bool { true }
    /// No events: each request has its own monitor.
    public var monitoredEvents: MonitoredEvents { [] }

    /// Returns the monitor of one request.
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

    /// The layer that creates a span for each attempt. `Session(transport:)` inserts it.
    public func layer(over transport: any Transport) -> any Transport {
        TracingTransport(transport, tracer: tracer, configuration: configuration)
    }
}
