internal import AirframeTransport
internal import CoreMetrics
internal import HTTPTypes

/// Something to be written into the metrics.
enum Measurement {
    case phase(ExchangePhase, Duration)
    /// Bytes of a body went out.
    case sent(Int64)
    /// Bytes of a body came, as they were on the wire.
    case received(Int64)
    case acquired(TransportConnection)
    /// The exchange is over, after that long.
    case ended(Duration)
}

/// What is known of an exchange while its events come.
struct ExchangeFold: Sendable {
    let server: ServerMeters
    let method: String
    let active: Meter
    let start: MonotonicInstant
    private(set) var last: MonotonicInstant
    private(set) var status = 0
    private(set) var connection: TransportConnection?
    private(set) var sentBytes: Int64 = 0
    private(set) var receivedBytes: Int64 = 0
    var error: TransportError?

    private var hasLeftPool = false
    /// When the phases began that are under way, or are over and mark the beginning of the next one.
    private var resolveStart: MonotonicInstant?
    private var connectStart: MonotonicInstant?
    private var proxyStart: MonotonicInstant?
    private var tlsStart: MonotonicInstant?
    private var sendStart: MonotonicInstant?
    private var sendEnd: MonotonicInstant?
    private var headInstant: MonotonicInstant?

    init(_ head: HTTPRequest, server: ServerMeters, at start: MonotonicInstant) {
        self.server = server
        self.start = start
        last = start
        method = head.method.conventionalName
        active = server.active(method: method, scheme: head.scheme == "https" ? "https" : "http")
    }

    /// Takes the next event that neither begins nor ends the exchange.
    mutating func note(_ event: TransportEvent) -> [Measurement] {
        let instant = event.instant
        last = max(last, instant)
        switch event.kind {
        case .resolveStarted:
            resolveStart = instant
            return leavePool(at: instant)
        case .resolveFinished: return Self.finish(.resolve, &resolveStart, at: instant)
        case .connectStarted:
            connectStart = connectStart ?? instant
            return leavePool(at: instant)
        case .connectFinished: return Self.finish(.connect, &connectStart, at: instant)
        case .proxyStarted:
            proxyStart = instant
            return leavePool(at: instant)
        case .proxyFinished: return Self.finish(.proxy, &proxyStart, at: instant)
        case .tlsStarted:
            tlsStart = instant
            return leavePool(at: instant)
        case .tlsFinished: return Self.finish(.tls, &tlsStart, at: instant)
        case .connectionAcquired(let connection):
            self.connection = connection
            sendStart = instant
            return leavePool(at: instant) + [.acquired(connection)]
        case .requestBodySent(let count, let total):
            sentBytes = total
            return [.sent(count)]
        case .requestFinished:
            sendEnd = instant
            return Self.finish(.send, &sendStart, at: instant)
        case .responseHead(let head, _):
            status = head.status.code
            headInstant = instant
            // A server may answer before it has the whole request.
            return Self.measure(.firstByte, from: sendEnd ?? sendStart, to: instant)
        case .responseBodyReceived(let count, let total):
            receivedBytes = total
            return [.received(count)]
        default: return []
        }
    }

    /// What is to be written when the exchange is over.
    func end(at instant: MonotonicInstant) -> [Measurement] {
        Self.measure(.body, from: headInstant, to: instant) + [.ended(start.duration(to: max(instant, start)))]
    }

    private mutating func leavePool(at instant: MonotonicInstant) -> [Measurement] {
        guard !hasLeftPool else { return [] }
        hasLeftPool = true
        return Self.measure(.pool, from: start, to: instant)
    }

    private static func finish(
        _ phase: ExchangePhase,
        _ begin: inout MonotonicInstant?,
        at instant: MonotonicInstant
    ) -> [Measurement] {
        defer { begin = nil }
        return Self.measure(phase, from: begin, to: instant)
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
