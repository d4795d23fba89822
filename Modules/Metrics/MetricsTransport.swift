public import AirframeTransport

/// Measures the exchanges of a transport that is used without a session.
///
/// A session with a ``MetricsMonitor`` needs no layer: with both, each exchange would count twice.
///
/// ```swift
/// let transport = MetricsTransport(SocketTransport(), monitor: MetricsMonitor())
/// ```
public struct MetricsTransport: TransportLayer {
    /// The transport beneath.
    public let base: any Transport
    /// Names and labels, and the series that were made.
    public let monitor: MetricsMonitor

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - monitor: Where it is counted.
    public init(_ base: any Transport, monitor: MetricsMonitor) {
        self.base = base
        self.monitor = monitor
    }

    /// Sends `request`, and measures what its events tell.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.events = MeteringSink(RequestMeter(monitor.registry), passingOnTo: request.events)
        return try await base.send(request)
    }
}

/// Has events measured, and passes them on.
private final class MeteringSink: TransportEventSink {
    private let meter: RequestMeter
    private let listener: (any TransportEventSink)?

    init(_ meter: RequestMeter, passingOnTo listener: (any TransportEventSink)?) {
        self.meter = meter
        self.listener = listener
    }

    func receive(_ event: TransportEvent) {
        meter.receive(event)
        listener?.receive(event)
    }
}
