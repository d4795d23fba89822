internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization
internal import Tracing

/// The span of one exchange. It converts the exchange's events and forwards them.
///
/// The span ends once: with the exchange's last event after ``TracingTransport/send(_:)`` has returned, with the error
/// that was thrown, or, for an engine that never reports an end, when the last reference to the exchange is gone.
final class AttemptTrace: ForwardingEventSink {
    private struct Ending {
        var instant: MonotonicInstant
        var error: TransportError?
    }

    private enum Stage {
        /// The head has not arrived. If the exchange ends in this state, another one may follow: a layer beneath waits
        /// for a network or answers a challenge.
        case sending(Ending?)
        case reading
        case ended
    }

    private struct Progress {
        var stage = Stage.sending(nil)
        var phases: [Phase: any Tracing.Span] = [:]
        var last: MonotonicInstant
        /// The timeline of the last exchange. A layer beneath may send a request more than once.
        var timeline: ExchangeTimeline

        mutating func record(_ event: TransportEvent) {
            last = max(last, event.instant)
            if timeline.exchange != event.exchange {
                timeline = ExchangeTimeline(of: event.exchange, at: event.instant)
            }
            timeline.record(event)
        }
    }

    private let span: any Tracing.Span
    private let trace: RequestTrace
    private let clock: any TransportClock
    private let origin: Origin?
    private let listener: (any TransportEventSink)?
    // Guards the progress of the exchange. Neither the tracer nor the listener is called while the lock is held.
    private let progress: Mutex<Progress>

    init(
        _ request: TransportRequest,
        number: Int,
        parent: ServiceContext,
        of trace: RequestTrace,
        clock: any TransportClock,
        at start: MonotonicInstant
    ) {
        let template = trace.configuration.urlTemplate(request.head)
        span = trace.scope.tracer.startSpan(
            request.head.spanName(template: template),
            context: parent,
            ofKind: .client,
            at: trace.timeline(start)
        )
        self.trace = trace
        self.clock = clock
        origin = Origin(request.head)
        listener = request.events
        progress = Mutex(Progress(last: start, timeline: ExchangeTimeline(of: request.exchange, at: start)))
        guard span.isRecording else { return }
        span.updateAttributes { attributes in
            attributes.describe(request.head, by: trace.configuration)
            attributes.describeAttempt(number, request.head, template: template, by: trace.configuration)
        }
    }

    deinit {
        // No reference is left that could report the end.
        finish(at: nil, with: nil)
    }

    /// The context of the exchange, for nested work.
    var context: ServiceContext { span.context }

    /// Writes the exchange's context to its head.
    func inject(into head: inout HTTPRequest) {
        if let origin, !trace.configuration.propagates(origin) { return }
        trace.scope.instrument.inject(span.context, into: &head.headerFields, using: FieldInjector())
    }

    // MARK: The call

    /// The head has arrived, and possibly the body.
    func sendDidReturn() {
        let ending = progress.withLock { progress -> Ending? in
            guard case .sending(let ending) = progress.stage else { return nil }
            if ending == nil { progress.stage = .reading }
            return ending
        }
        if let ending { finish(at: ending.instant, with: ending.error) }
    }

    func sendDidThrow(_ error: TransportError) { finish(at: clock.now, with: error) }

    // MARK: Events

    var next: (any TransportEventSink)? { listener }

    func receive(_ event: TransportEvent) {
        progress.withLock { $0.record(event) }
        note(event)
        listener?.receive(event)
    }

    private func note(_ event: TransportEvent) {
        let instant = event.instant
        switch event.kind {
        case .started: progress.withLock { if case .sending = $0.stage { $0.stage = .sending(nil) } }
        case .resolveStarted(let host): begin(.resolve, at: instant) { $0["dns.question.name"] = host }
        case .resolveFinished(let addresses):
            end(.resolve, at: instant) { $0["dns.answers"] = SpanAttribute.stringArray(addresses) }
        case .connectStarted(let address): begin(.connect(address), at: instant) { $0.describe(peer: address) }
        case .connectFinished(let address): end(.connect(address), at: instant)
        case .connectFailed(let address, let error): end(.connect(address), at: instant, with: error)
        case .proxyStarted(let address): begin(.proxy, at: instant) { $0.describe(peer: address) }
        case .proxyFinished(let status): end(.proxy, at: instant) { $0["http.response.status_code"] = status }
        case .tlsStarted: begin(.tls, at: instant) { _ in }
        case .tlsFinished(let description): end(.tls, at: instant) { $0.describe(description) }
        case .connectionAcquired(let connection):
            // Attempts to connect that lost the race.
            endPhases(at: instant, with: nil)
            change { $0.describe(connection) }
        case .responseHead(let head, _): didReceive(head)
        case .released: didEnd(Ending(instant: instant))
        case .failed(let error): didEnd(Ending(instant: instant, error: error))
        default: break
        }
    }

    private func didReceive(_ head: HTTPResponse) {
        change { attributes in attributes.describe(head, by: trace.configuration) }
        guard head.status.code >= 400 else { return }
        // The status suffices: the conventions specify no description in addition to it.
        span.setStatus(SpanStatus(code: .error))
    }

    private func change(_ body: (inout SpanAttributes) -> Void) {
        if span.isRecording { span.updateAttributes(body) }
    }

    // MARK: Phases

    private func begin(_ phase: Phase, at instant: MonotonicInstant, _ describe: (inout SpanAttributes) -> Void) {
        guard trace.configuration.recordsPhases else { return }
        let began = trace.scope.tracer.startSpan(
            phase.name,
            context: span.context,
            ofKind: .internal,
            at: trace.timeline(instant)
        )
        if began.isRecording { began.updateAttributes(describe) }
        let replaced = progress.withLock { progress -> (any Tracing.Span)? in
            if case .ended = progress.stage { return began }
            return progress.phases.updateValue(began, forKey: phase)
        }
        replaced?.end(at: trace.timeline(instant))
    }

    private func end(
        _ phase: Phase,
        at instant: MonotonicInstant,
        with error: TransportError? = nil,
        _ describe: (inout SpanAttributes) -> Void = { _ in }
    ) {
        guard let ended = progress.withLock({ $0.phases.removeValue(forKey: phase) }) else { return }
        if ended.isRecording { ended.updateAttributes(describe) }
        if let error { fail(ended, with: error, at: instant) }
        ended.end(at: trace.timeline(instant))
    }

    private func endPhases(at instant: MonotonicInstant, with error: TransportError?) {
        for phase in progress.withLock({ Array($0.phases.keys) }) { end(phase, at: instant, with: error) }
    }

    // MARK: The end

    private func didEnd(_ ending: Ending) {
        let isOver = progress.withLock { progress in
            switch progress.stage {
            case .sending:
                progress.stage = .sending(ending)
                return false
            case .reading: return true
            case .ended: return false
            }
        }
        if !isOver { endPhases(at: ending.instant, with: ending.error) }
        if isOver { finish(at: ending.instant, with: ending.error) }
    }

    /// Ends the span, unless it has ended.
    ///
    /// - Parameters:
    ///   - instant: The end; `nil` for the time of the last event.
    ///   - error: The error of a failed exchange.
    private func finish(at instant: MonotonicInstant?, with error: TransportError?) {
        let last = progress.withLock { progress -> Progress? in
            if case .ended = progress.stage { return nil }
            let last = progress
            progress.stage = .ended
            return last
        }
        guard let last else { return }
        let instant = max(last.last, instant ?? last.last)
        endPhases(at: instant, with: error)
        change { attributes in
            let (sent, received) = (last.timeline.requestBodyBytes, last.timeline.responseBodyBytes)
            if sent > 0 { attributes["http.request.body.size"] = sent }
            if received > 0 { attributes["http.response.body.size"] = received }
        }
        if let error { fail(span, with: error, at: instant) }
        span.end(at: trace.timeline(instant))
        trace.attemptDidEnd(at: instant)
    }

    private func fail(_ span: any Tracing.Span, with error: TransportError, at instant: MonotonicInstant) {
        let redaction = trace.configuration.redaction
        span.fail(with: error, type: error.code.rawValue, at: trace.timeline(instant), by: redaction)
    }
}

/// A phase of setting up a connection.
private enum Phase: Hashable {
    case resolve
    /// Several phases may be open concurrently.
    case connect(SocketAddress)
    case proxy
    case tls

    var name: String {
        switch self {
        case .resolve: "DNS"
        case .connect: "connect"
        case .proxy: "proxy"
        case .tls: "TLS"
        }
    }
}
