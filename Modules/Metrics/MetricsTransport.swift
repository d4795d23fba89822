public import AirframeTransport

/// Measures the exchanges of a transport without a session.
///
/// A session with a ``MetricsMonitor`` needs no such layer: with both, each exchange would count twice.
///
/// ```swift
/// let transport = MetricsTransport(SocketTransport(), monitor: MetricsMonitor())
/// ```
public struct MetricsTransport: TransportLayer {
    /// The wrapped transport.
    public let base: any Transport
    /// The monitor with names, labels and series.
    public let monitor: MetricsMonitor

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - monitor: The monitor to measure with.
    public init(_ base: any Transport, monitor: MetricsMonitor) {
        self.base = base
        self.monitor = monitor
    }

    /// Sends `request` and measures its events.
    ///
    /// - Throws: The errors of the transport beneath.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.events = MeteringSink(RequestMeter(monitor.registry), passingOnTo: request.events)
        return try await base.send(request)
    }
}

/// Measures events and forwards them.
private final class MeteringSink: ForwardingEventSink {
    private let meter: RequestMeter
    private let listener: (any TransportEventSink)?

    init(_ meter: RequestMeter, passingOnTo listener: (any TransportEventSink)?) {
        self.meter = meter
        self.listener = listener
    }

    var next: (any TransportEventSink)? { listener }

    func receive(_ event: TransportEvent) {
        meter.receive(event)
        listener?.receive(event)
    }
}
