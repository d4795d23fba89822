internal import AirframeTransport
internal import HTTPTypes

/// Records an exchange in its timeline, and reports events to a sink that wants them.
///
/// Without such a sink the timeline is written in place and no event is constructed.
struct ExchangeReporter: Sendable {
    let exchange: ExchangeIdentifier
    let timelines: TimelineRecorder
    /// Delivers events to the sink; `nil` if the sink wants no event that such an exchange produces in order.
    let outlet: EventOutlet?
    /// The sink, if it wants decisions.
    private let decisionSink: (any TransportEventSink)?
    private let engine: Engine

    init(_ request: borrowing TransportRequest, _ engine: Engine) {
        exchange = request.exchange
        timelines = request.timelines ?? TimelineRecorder()
        self.engine = engine
        guard let sink = request.events else {
            outlet = nil
            decisionSink = nil
            return
        }
        let wanted = sink.wantedEvents
        // The engine's own decisions come from one task, so that they are in order without an outlet.
        let ordered = wanted.subtracting(request.body.isNone ? [.decisions, .requestBody] : .decisions)
        outlet = ordered.isEmpty ? nil : EventOutlet(exchange, timelines, sink, wanted, engine.configuration.clock)
        decisionSink = wanted.contains(.decisions) ? sink : nil
    }

    /// The current instant of the transport's clock.
    var now: MonotonicInstant { engine.now }

    // MARK: Anything

    /// Reports an event.
    ///
    /// - Parameters:
    ///   - isLast: Whether this is the exchange's last event.
    ///   - isFromHolder: Whether the caller is the task that holds the outlet, if it is held.
    func report(_ kind: @autoclosure () -> TransportEvent.Kind, isLast: Bool = false, isFromHolder: Bool = false) {
        if let outlet {
            outlet.emit(kind(), isLast: isLast, isFromHolder: isFromHolder)
        } else {
            timelines.record(kind(), of: exchange, at: now)
        }
    }

    /// Reports a decision.
    func report(_ decision: TransportDecision) {
        if outlet == nil, let decisionSink {
            let event = TransportEvent(.decided(decision), of: exchange, at: now)
            timelines.record(event)
            decisionSink.receive(event)
        } else {
            report(.decided(decision))
        }
    }

    // MARK: The phases of every exchange

    /// Reports the start of the exchange.
    func start(_ head: SharedRequestHead) {
        if let outlet {
            outlet.emit(.started(head.head))
        } else {
            timelines.start(exchange, head, at: now)
        }
    }

    /// Reports that the exchange has acquired its connection.
    ///
    /// - Parameter reuse: Why a kept connection was reused; `nil` if the connection is new.
    func acquire(_ connection: borrowing TransportConnection, reuse: String?) {
        guard let outlet else { return timelines.acquire(exchange, copy connection, reuse: reuse, at: now) }
        if let reuse {
            outlet.emit(.decided(TransportDecision(.reusedConnection(id: connection.id), reason: reuse)))
        }
        outlet.emit(.connectionAcquired(copy connection))
    }

    /// Reports that the request head was sent, with the first bytes of the body.
    ///
    /// - Parameter isWhole: Whether the request is complete.
    func send(headBytes: Int, bodyBytes: Int, isWhole: Bool) {
        guard let outlet else {
            return timelines.send(
                exchange, headBytes: headBytes, bodyBytes: Int64(bodyBytes), isWhole: isWhole, at: now)
        }
        outlet.emit(.requestHeadSent(byteCount: headBytes))
        if bodyBytes > 0 { outlet.emit(.requestBodySent(byteCount: Int64(bodyBytes), total: Int64(bodyBytes))) }
        if isWhole { outlet.emit(.requestFinished) }
    }

    /// Reports the head of the final response.
    func receive(_ head: MessageHead, at instant: MonotonicInstant) {
        if let outlet {
            outlet.emit(.responseHead(head.response, byteCount: head.byteCount))
        } else {
            timelines.receive(exchange, head.shared, headBytes: head.byteCount, at: instant)
        }
    }

    /// Reports received content.
    func receive(_ byteCount: Int, total: Int64, at instant: MonotonicInstant) {
        if let outlet {
            outlet.emit(.responseBodyReceived(byteCount: Int64(byteCount), total: total))
        } else {
            timelines.receive(exchange, bodyBytes: total, at: instant)
        }
    }

    /// Reports the end of the exchange.
    ///
    /// - Parameter instant: When the end of the response arrived; `nil` for now.
    func release(_ fate: TransportEvent.ConnectionFate, at instant: MonotonicInstant?) {
        if outlet == nil, fate == .kept {
            timelines.release(exchange, at: instant ?? now)
        } else {
            report(.released(fate), isLast: true)
        }
    }
}
