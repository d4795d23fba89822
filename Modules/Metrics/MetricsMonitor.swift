public import AirframeCore
public import CoreMetrics
public import Dispatch

/// Measures the requests of a session with counters, timers and recorders of swift-metrics, named by OpenTelemetry's
/// conventions for HTTP clients.
///
/// ```swift
/// let session = Session(transport: engine, eventMonitors: [MetricsMonitor()])
/// ```
///
/// Each exchange counts, including those of redirects, retries and challenges. Modules/Metrics/README.md lists the
/// metrics, their labels and units. One monitor can serve many sessions.
public final class MetricsMonitor: EventMonitor {
    private static let eventQueue = DispatchQueue(label: "airframe.metricsMonitor")

    let registry: MeterRegistry

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - factory: Creates the metrics: by default the factory of the task (`withMetricsFactory`), or else that of the
    ///     process (`MetricsSystem.bootstrap`).
    ///   - configuration: Names and labels.
    public init(
        factory: any MetricsFactory = MetricsSystem.factory,
        configuration: MetricsConfiguration = MetricsConfiguration()
    ) {
        registry = MeterRegistry(factory: factory, configuration: configuration)
    }

    /// The monitor's own queue. No measurement runs on it.
    public var queue: DispatchQueue { Self.eventQueue }
    /// `true`: measurements must not be delayed.
    public var isCalledSynchronously: Bool { true }
    /// No events: each request has its own monitor.
    public var monitoredEvents: MonitoredEvents { [] }

    /// Returns the monitor of one request.
    public func monitoring(_ request: Request) -> RequestMonitoring { .own(RequestMeter(registry)) }
}
