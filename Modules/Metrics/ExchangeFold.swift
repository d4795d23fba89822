internal import AirframeTransport
internal import CoreMetrics
internal import HTTPTypes

/// A measurement to write to the metrics.
enum Measurement {
    case phase(ExchangePhase, Duration)
    /// Bytes of a body were sent.
    case sent(Int64)
    /// Bytes of a body were received on the wire.
    case received(Int64)
    /// A connection was acquired, after another one if the engine sent the request again.
    case acquired(TransportConnection, previous: TransportConnection?)
    /// The exchange ended after this duration.
    case ended(Duration)
}

/// Converts the timeline of an exchange to measurements while its events arrive.
struct ExchangeFold: Sendable {
    let server: ServerMeters
    let method: String
    let active: Meter
    private(set) var timeline: ExchangeTimeline
    var error: TransportError?
    /// Whether another exchange of the request has succeeded meanwhile.
    var isOvertaken = false
    private var hasLeftPool = false

    /// Creates a fold from an exchange's `started` event.
    init(_ head: HTTPRequest, server: ServerMeters, from event: TransportEvent) {
        self.server = server
        timeline = ExchangeTimeline(of: event.exchange, at: event.instant)
        timeline.record(event)
        method = head.method.conventionalName
        active = server.active(method: method, scheme: head.scheme == "https" ? "https" : "http")
    }

    var status: Int { timeline.response?.status.code ?? 0 }

    /// Adds the next event, which neither begins nor ends the exchange.
    mutating func note(_ event: TransportEvent) -> [Measurement] {
        var acquired: [Measurement] = []
        if case .connectionAcquired(let connection) = event.kind {
            acquired = [.acquired(connection, previous: timeline.connection)]
        }
        timeline.record(event)
        return leavePool() + acquired + measurements(of: event)
    }

    private func measurements(of event: TransportEvent) -> [Measurement] {
        let instant = event.instant
        switch event.kind {
        case .resolveFinished: return Self.measure(.resolve, from: timeline.resolution?.start, to: instant)
        case .connectFinished:
            return Self.measure(.connect, from: timeline.connectAttempts.first?.span.start, to: instant)
        case .proxyFinished: return Self.measure(.proxy, from: timeline.proxy?.start, to: instant)
        case .tlsFinished: return Self.measure(.tls, from: timeline.tlsHandshake?.start, to: instant)
        case .requestBodySent(let count, _): return [.sent(count)]
        case .requestFinished: return Self.measure(.send, from: timeline.connectionAcquired, to: instant)
        case .responseHead:
            // A server may respond before it has received the whole request.
            let sent = timeline.requestFinished ?? timeline.connectionAcquired
            return Self.measure(.firstByte, from: sent, to: instant)
        case .responseBodyReceived(let count, _): return [.received(count)]
        default: return []
        }
    }

    /// Returns the last measurements at the end of the exchange.
    func end(at instant: MonotonicInstant) -> [Measurement] {
        let start = timeline.started ?? timeline.first
        return Self.measure(.body, from: timeline.responseHead, to: instant)
            + [.ended(start.duration(to: max(instant, start)))]
    }

    private mutating func leavePool() -> [Measurement] {
        guard !hasLeftPool, let wait = timeline.poolWait else { return [] }
        hasLeftPool = true
        return [.phase(.pool, wait)]
    }

    private static func measure(
        _ phase: ExchangePhase,
        from begin: MonotonicInstant?,
        to end: MonotonicInstant
    ) -> [Measurement] {
        guard let begin else { return [] }
        return [.phase(phase, begin.duration(to: max(begin, end)))]
    }
}
