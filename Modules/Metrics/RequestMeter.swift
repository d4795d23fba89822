internal import AirframeCore
internal import AirframeTransport
internal import CoreMetrics
internal import Dispatch
internal import HTTPTypes
internal import Synchronization

/// Measures one request: folds over the events of its exchanges, which follow one another or, if the request is hedged,
/// overlap.
///
/// It is called synchronously and holds no reference to the request.
final class RequestMeter: EventMonitor {
    private let registry: MeterRegistry
    // Guards the folds. No metric is changed while the lock is held.
    private let folds = Mutex(ExchangeFolds())

    init(_ registry: MeterRegistry) { self.registry = registry }

    deinit {
        // The engine has not reported an end.
        for fold in folds.withLock({ $0.open }) { record(fold.end(at: fold.timeline.last), of: fold) }
    }

    var queue: DispatchQueue { .global() }
    var isCalledSynchronously: Bool { true }
    var monitoredEvents: MonitoredEvents { [.requests, .transport, .messages] }

    // MARK: Events

    func request(_ request: Request, didReceive event: TransportEvent) { receive(event) }

    func receive(_ event: TransportEvent) {
        switch event.kind {
        case .started(let head): begin(head, with: event)
        case .decided(let decision): count(decision, of: event.exchange)
        case .released: end(with: event, error: nil)
        case .failed(let error): end(with: event, error: error)
        default: note(event)
        }
    }

    /// Measures the traffic of a WebSocket.
    func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
        let server = folds.withLock { $0.current?.server } ?? registry.others
        let direction: ByteDirection = traffic.direction == .sent ? .sent : .received
        switch traffic.kind {
        case .text, .binary:
            server.messages(direction, isText: traffic.kind == .text).increment()
            server.messageBytes(direction).increment(by: traffic.length)
        case .close(let code): server.closes(direction, code: code?.rawValue).increment()
        case .ping, .pong: break
        }
    }

    /// Counts a failure that no exchange has reported.
    func requestDidFinish(_ request: Request) {
        guard let error = request.error else { return }
        let (isOpen, last) = folds.withLock { ($0.isOpen, $0.last) }
        guard !isOpen else { return }
        let server = last?.server ?? registry.others
        if error.isExplicitlyCancelledError {
            // The request was cancelled while waiting for a retry; the exchange before it had failed with another
            // error.
            if last?.error?.isCancellation != true { server.cancellations(in: "request").increment() }
        } else if last?.error == nil {
            let phase = error.isResponseValidationError ? "validation" : "request"
            server.failures(in: phase, error: registry.errorType(error.kind)).increment()
        }
    }

    // MARK: Exchanges

    private func begin(_ head: HTTPRequest, with event: TransportEvent) {
        let new = ExchangeFold(head, server: registry.server(of: head), from: event)
        let unfinished = folds.withLock { $0.begin(new) }
        if let unfinished { record(unfinished.end(at: event.instant), of: unfinished) }
        new.active.increment()
    }

    private func note(_ event: TransportEvent) {
        if let (fold, measurements) = folds.withLock({ $0.note(event) }) { record(measurements, of: fold) }
    }

    private func end(with event: TransportEvent, error: TransportError?) {
        let ended = folds.withLock { $0.end(with: event, error: error) }
        guard let (fold, measurements) = ended else { return }
        record(measurements, of: fold)
        guard let error else { return }
        if error.isCancellation {
            fold.server.cancellations(in: error.phase.rawValue).increment()
        } else {
            let type = registry.errorType(error.code.rawValue)
            fold.server.failures(in: error.phase.rawValue, error: type).increment()
        }
    }

    private func count(_ decision: TransportDecision, of exchange: ExchangeIdentifier) {
        let fold = folds.withLock { $0.fold(of: exchange) ?? $0.current }
        let server = fold?.server ?? registry.others
        switch decision.kind {
        case .retried: server.retries(method: fold?.method ?? HTTPRequest.Method.otherName).increment()
        case .followedRedirect(let response, _): server.redirects(status: response.status.code).increment()
        default: break
        }
    }

    // MARK: Metrics

    private func record(_ measurements: [Measurement], of fold: ExchangeFold) {
        for measurement in measurements {
            switch measurement {
            case .phase(let phase, let duration):
                fold.server.duration(of: phase).recordNanoseconds(duration.wholeNanoseconds)
            case .sent(let count): fold.server.bytes(.sent).increment(by: count)
            case .received(let count): fold.server.bytes(.received).increment(by: count)
            case .acquired(let connection, let previous): acquired(connection, after: previous, fold)
            case .ended(let duration): ended(after: duration, fold)
            }
        }
    }

    private func acquired(
        _ connection: TransportConnection,
        after previous: TransportConnection?,
        _ fold: ExchangeFold
    ) {
        fold.server.connection(reused: connection.isReused).increment()
        if let previous {
            guard MeterRegistry.ConnectionKey(previous) != MeterRegistry.ConnectionKey(connection) else { return }
            registry.end(on: previous)?.gauge.decrement()
        }
        registry.begin(on: connection, with: fold.server)?.gauge.increment()
    }

    private func ended(after duration: Duration, _ fold: ExchangeFold) {
        fold.active.decrement()
        if let connection = fold.timeline.connection { registry.end(on: connection)?.gauge.decrement() }
        let meters = fold.server.exchange(
            .init(
                method: fold.method,
                status: fold.status,
                error: fold.error.map { registry.errorType($0.code.rawValue) },
                version: fold.timeline.connection?.httpVersion
            )
        )
        meters.count.increment()
        meters.duration.recordNanoseconds(duration.wholeNanoseconds)
        meters.requestSize.record(fold.timeline.requestBodyBytes)
        meters.responseSize.record(fold.timeline.responseBodyBytes)
    }
}
