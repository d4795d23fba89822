internal import AirframeCore
internal import AirframeTransport
internal import Dispatch
internal import HTTPTypes
internal import Synchronization
internal import Tracing

/// The trace of one request: the span around its attempts, and the state that the attempts share.
///
/// A class, because attempts are counted: the second and later ones have `http.request.resend_count`.
final class RequestTrace: AccompanyingMonitor {
    /// The trace of an exchange.
    enum Key: TransportRequestKey {
        static var defaultValue: RequestTrace? { nil }
    }

    private struct Progress {
        enum Stage {
            /// The request has not begun.
            case waiting
            case running
            /// The request has ended; abandoned exchanges may still be open.
            case closing
            case ended
        }

        var stage = Stage.waiting
        /// `nil` if the request has no span of its own.
        var span: (any Tracing.Span)?
        var attempts = 0
        var openAttempts = 0
        /// The time of the last event.
        var last: MonotonicInstant

        mutating func note(_ instant: MonotonicInstant) { last = max(last, instant) }

        /// Begins the request. Returns whether this is the first call.
        mutating func start(at instant: MonotonicInstant) -> Bool {
            guard case .waiting = stage else { return false }
            stage = .running
            last = instant
            return true
        }

        /// Ends the request, at an instant if that is later than the last event. Returns whether this is the first
        /// call.
        mutating func close(at instant: MonotonicInstant?) -> Bool {
            guard case .running = stage else { return false }
            stage = .closing
            if let instant { note(instant) }
            return true
        }

        /// Returns whether nothing of the request is open any more; `true` only once.
        mutating func endIfOver() -> Bool {
            guard case .closing = stage, openAttempts == 0 else { return false }
            stage = .ended
            return true
        }
    }

    let scope: TraceScope
    let configuration: TracingConfiguration
    let timeline: TraceTimeline
    private let clock: any TransportClock
    private let recordsRequest: Bool
    // Guards the progress of the request. No tracer is called while the lock is held.
    private let progress: Mutex<Progress>

    init(
        _ scope: TraceScope,
        clock: any TransportClock,
        configuration: TracingConfiguration,
        recordsRequest: Bool
    ) {
        self.scope = scope
        self.configuration = configuration
        self.clock = clock
        // Spans of the no-op tracer are invisible.
        self.recordsRequest = recordsRequest && !(scope.tracer is NoOpTracer)
        timeline = TraceTimeline(clock)
        progress = Mutex(Progress(last: clock.now))
    }

    // MARK: Events of the monitor

    var queue: DispatchQueue { .global() }
    var isCalledSynchronously: Bool { true }
    var monitoredEvents: MonitoredEvents { [.requests, .transport] }

    func requestDidResume(_ request: Request) { start() }

    /// A session that prepares requests before they are resumed begins here.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) { start() }

    func request(_ request: Request, willSend transportRequest: inout TransportRequest) {
        transportRequest[Key.self] = self
        guard let span, span.isRecording else { return }
        span.updateAttributes { $0.describe(transportRequest.head, by: configuration) }
    }

    func request(_ request: Request, didReceive event: TransportEvent) {
        progress.withLock { $0.note(event.instant) }
        guard case .decided(let decision) = event.kind, let span,
            let news = SpanEvent(decision, at: timeline(event.instant), configuration)
        else { return }
        span.addEvent(news)
    }

    func requestWillDeliver(_ request: Request) { finish(with: request.error, status: request.response?.statusCode) }

    // MARK: The request

    private func start() {
        let now = clock.now
        guard progress.withLock({ $0.start(at: now) }), recordsRequest else { return }
        let span = scope.tracer.startSpan("HTTP request", context: scope.parent, ofKind: .internal, at: timeline(now))
        progress.withLock { $0.span = span }
    }

    private func finish(with error: AFError?, status: Int?) {
        let now = clock.now
        // A request with a response ends with the last byte, before the received data is processed.
        let isFirst = progress.withLock { $0.close(at: error == nil ? nil : now) }
        guard isFirst else { return }
        if let span, let status, span.isRecording {
            span.updateAttributes { $0["http.response.status_code"] = status }
        }
        if let span, let error {
            // The transport's message has no URL; the one that Foundation derives from it has.
            let cause: any Error = error.transportError ?? error
            span.fail(with: cause, type: error.kind, at: timeline(now), by: configuration.redaction)
        }
        endIfOver()
    }

    // MARK: Attempts

    /// Returns the span of the next exchange of the request.
    func beginAttempt(_ request: TransportRequest, clock: any TransportClock) -> AttemptTrace {
        let now = clock.now
        let (number, parent) = progress.withLock { progress in
            progress.note(now)
            defer { progress.attempts += 1 }
            progress.openAttempts += 1
            return (progress.attempts, progress.span?.context)
        }
        return AttemptTrace(request, number: number, parent: parent ?? scope.parent, of: self, clock: clock, at: now)
    }

    func attemptDidEnd(at instant: MonotonicInstant) {
        progress.withLock { progress in
            progress.note(instant)
            progress.openAttempts -= 1
        }
        endIfOver()
    }

    private var span: (any Tracing.Span)? { progress.withLock { $0.span } }

    private func endIfOver() {
        let (isOver, span, last) = progress.withLock { ($0.endIfOver(), $0.span, $0.last) }
        if isOver, let span { span.end(at: timeline(last)) }
    }
}

extension SpanEvent {
    /// Returns a decision between the exchanges of a request; `nil` for decisions that the spans of exchanges have.
    fileprivate init?(
        _ decision: TransportDecision,
        at instant: DefaultTracerClock.Timestamp,
        _ configuration: TracingConfiguration
    ) {
        var attributes: SpanAttributes = ["reason": .string(configuration.redaction.sentence(decision.reason))]
        let name: String
        switch decision.kind {
        case .retried(let attempt):
            name = "retry"
            attributes["http.request.resend_count"] = attempt - 1
        case .followedRedirect(let response, let next):
            name = "redirect"
            attributes["http.response.status_code"] = response.status.code
            attributes["url.full"] = configuration.redaction.url(next.fullURL)
        case .refusedRedirect: name = "redirect not followed"
        case .answeredChallenge(let scheme, _):
            name = "challenge answered"
            attributes["scheme"] = scheme
        case .refusedChallenge(let scheme, _), .unansweredChallenge(let scheme, _):
            name = "challenge not answered"
            attributes["scheme"] = scheme
        case .servedFromCache: name = "served from cache"
        case .cacheFailed: name = "cache failed"
        case .waitsForConnectivity: name = "waits for connectivity"
        case .connectivityReturned: name = "connectivity returned"
        case .upgradedToHTTPS: name = "upgraded to https"
        case .hedged(let attempt):
            name = "hedge"
            attributes["http.request.resend_count"] = attempt - 1
        case .circuitOpened: name = "circuit opened"
        case .circuitHalfOpened: name = "circuit half-open"
        case .circuitClosed: name = "circuit closed"
        case .rejectedCookie(let cookie, _):
            name = "cookie rejected"
            attributes["cookie.name"] = cookie
        default: return nil
        }
        self.init(name: name, at: instant, attributes: attributes)
    }
}
