public import AirframeCore
public import CoreMetrics
public import Dispatch

/// Measures the requests of a session: counters, timers and recorders of swift-metrics, named as OpenTelemetry's
/// conventions for HTTP clients have it.
///
/// ```swift
/// let session = Session(transport: engine, eventMonitors: [MetricsMonitor()])
/// ```
///
/// Each exchange counts: those of redirects, retries and answers to challenges too. Modules/Metrics/README.md lists the
/// metrics, their labels and units. One monitor can serve many sessions.
public final class MetricsMonitor: EventMonitor {
    private static let eventQueue = DispatchQueue(label: "airframe.metricsMonitor")

    let registry: MeterRegistry

    /// Makes a monitor.
    ///
    /// - Parameters:
    ///   - factory: Makes the metrics. The one of the task (`withMetricsFactory`) or the process
    ///     (`MetricsSystem.bootstrap`) unless another is named.
    ///   - configuration: Names and labels.
    public init(
        factory: any MetricsFactory = MetricsSystem.factory,
        configuration: MetricsConfiguration = MetricsConfiguration()
    ) {
        registry = MeterRegistry(factory: factory, configuration: configuration)
    }

    /// A queue of the monitor's own; nothing is measured on it.
    public var queue: DispatchQueue { Self.eventQueue }
    /// `true`: what is measured must not be late.
    public var isToldInPlace: Bool { true }
    /// Nothing: each request has a monitor of its own.
    public var monitoredEvents: MonitoredEvents { [] }

    /// What measures one request.
    public func monitoring(_ request: Request) -> RequestMonitoring { .own(RequestMeter(registry)) }
}
