internal import AirframeCore
internal import AirframeTransport
internal import CoreMetrics
internal import Dispatch
internal import HTTPTypes
internal import Synchronization

/// Measures one request: a fold over the events of its consecutive exchanges.
///
/// It is called synchronously and holds no reference to the request.
final class RequestMeter: EventMonitor {
    private enum Stage {
        /// No exchange is open.
        case between(last: ExchangeFold?)
        case exchanging(ExchangeFold)
    }

    private let registry: MeterRegistry
    // Guards the open exchange. No metric is changed while the lock is held.
    private let stage = Mutex(Stage.between(last: nil))

    init(_ registry: MeterRegistry) { self.registry = registry }

    deinit {
        // The engine has not reported an end.
        if case .exchanging(let fold) = stage.withLock({ $0 }) { record(fold.end(at: fold.timeline.last), of: fold) }
    }

    var queue: DispatchQueue { .global() }
    var isCalledSynchronously: Bool { true }
    var monitoredEvents: MonitoredEvents { [.requests, .transport, .messages] }

    // MARK: Events

    func request(_ request: Request, didReceive event: TransportEvent) { receive(event) }

    func receive(_ event: TransportEvent) {
        switch event.kind {
        case .started(let head): begin(head, with: event)
        case .decided(let decision): count(decision)
        case .released: end(with: event, error: nil)
        case .failed(let error): end(with: event, error: error)
        default: note(event)
        }
    }

    /// Measures the traffic of a WebSocket.
    func request(_ request: WebSocketRequest, didTransfer traffic: WebSocketTraffic) {
        let server =
            switch stage.withLock({ $0 }) {
            case .exchanging(let fold): fold.server
            case .between(let last): last?.server ?? registry.others
            }
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
        let last: ExchangeFold?
        switch stage.withLock({ $0 }) {
        case .exchanging: return
        case .between(let fold): last = fold
        }
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
        let unfinished = stage.withLock { stage -> ExchangeFold? in
            defer { stage = .exchanging(new) }
            if case .exchanging(let fold) = stage { return fold }
            return nil
        }
        if let unfinished { record(unfinished.end(at: event.instant), of: unfinished) }
        new.active.increment()
    }

    private func note(_ event: TransportEvent) {
        let noted = stage.withLock { stage -> (ExchangeFold, [Measurement])? in
            guard case .exchanging(var fold) = stage else { return nil }
            // The fold is changed in place and not in a copy.
            stage = .between(last: nil)
            let measurements = fold.note(event)
            stage = .exchanging(fold)
            return measurements.isEmpty ? nil : (fold, measurements)
        }
        if let (fold, measurements) = noted { record(measurements, of: fold) }
    }

    private func end(with event: TransportEvent, error: TransportError?) {
        let ended = stage.withLock { stage -> (ExchangeFold, [Measurement])? in
            switch stage {
            case .exchanging(var fold):
                fold.error = error
                stage = .between(last: fold)
                return (fold, fold.end(at: event.instant))
            case .between(var last?) where last.error == nil && error != nil:
                // A layer failed after a successful exchange.
                last.error = error
                stage = .between(last: last)
                return (last, [])
            case .between: return nil
            }
        }
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

    private func count(_ decision: TransportDecision) {
        let last =
            switch stage.withLock({ $0 }) {
            case .between(let last): last
            case .exchanging(let fold): fold
            }
        let server = last?.server ?? registry.others
        switch decision.kind {
        case .retried: server.retries(method: last?.method ?? HTTPRequest.Method.otherName).increment()
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
            case .acquired(let connection): acquired(connection, fold)
            case .ended(let duration): ended(after: duration, fold)
            }
        }
    }

    private func acquired(_ connection: TransportConnection, _ fold: ExchangeFold) {
        fold.server.connection(reused: connection.isReused).increment()
        if registry.begin(on: .init(connection)) { fold.server.open(connection.httpVersion).increment() }
    }

    private func ended(after duration: Duration, _ fold: ExchangeFold) {
        fold.active.decrement()
        if let connection = fold.timeline.connection, registry.end(on: .init(connection)) {
            fold.server.open(connection.httpVersion).decrement()
        }
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
