internal import AirframeTransport
internal import HTTPTypes

/// Records the course of an exchange in its timeline, and reports it to a sink that asks for it.
///
/// Without such a sink the timeline is written in place and no event is made.
struct ExchangeReporter: Sendable {
    let exchange: ExchangeIdentifier
    let timelines: TimelineRecorder
    /// The way to the sink; `nil` if it asks for nothing that the engine reports in the course of such an exchange.
    let outlet: EventOutlet?
    /// The sink, if it asks for decisions.
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
        decisionSink = wanted.contains(.decisions) ? sink : nil
        // A decision of the engine itself is rare, and in order without an outlet.
        let ordered = wanted.subtracting(request.body.isNone ? [.decisions, .requestBody] : .decisions)
        outlet = ordered.isEmpty ? nil : EventOutlet(exchange, timelines, sink, wanted, engine.configuration.clock)
    }

    /// The present, on the transport's clock.
    var now: MonotonicInstant { engine.configuration.clock.now }

    // MARK: Anything

    /// Reports what has happened.
    ///
    /// - Parameters:
    ///   - isLast: Whether nothing follows.
    ///   - isFromHolder: Whether it comes from whoever holds the outlet, if it is held.
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

    /// The exchange begins.
    func start(_ head: SharedRequestHead) {
        if let outlet {
            outlet.emit(.started(head.head))
        } else {
            timelines.start(exchange, head, at: now)
        }
    }

    /// The exchange with `origin` has its connection.
    func acquire(_ lease: borrowing Lease, for origin: borrowing Origin) {
        let connection = lease.information
        let reuse = lease.isReused ? Self.reason(toUse: lease.connection, for: origin) : nil
        guard let outlet else { return timelines.acquire(exchange, connection, reuse: reuse, at: now) }
        if let reuse {
            outlet.emit(.decided(TransportDecision(.reusedConnection(id: connection.id), reason: reuse)))
        }
        outlet.emit(.connectionAcquired(connection))
    }

    /// Why a kept connection is used.
    private static func reason(toUse connection: Connection, for origin: borrowing Origin) -> String {
        guard connection.isMultiplexed else { return "it was idle" }
        guard connection.origin == copy origin else {
            return "it leads to the same address, and its certificate names \(origin.host) (RFC 9113 §9.1.1)"
        }
        return "it has room for another stream"
    }

    /// The request's head has been written, and so much of its body.
    ///
    /// - Parameter isWhole: Whether that was the whole request.
    func send(headBytes: Int, bodyBytes: Int, isWhole: Bool) {
        guard let outlet else {
            return timelines.send(
                exchange, headBytes: headBytes, bodyBytes: Int64(bodyBytes), isWhole: isWhole, at: now)
        }
        outlet.emit(.requestHeadSent(byteCount: headBytes))
        if bodyBytes > 0 { outlet.emit(.requestBodySent(byteCount: Int64(bodyBytes), total: Int64(bodyBytes))) }
        if isWhole { outlet.emit(.requestFinished) }
    }

    /// The head of the final response has arrived.
    func receive(_ head: MessageHead, at instant: MonotonicInstant) {
        if let outlet {
            outlet.emit(.responseHead(head.response, byteCount: head.byteCount))
        } else {
            timelines.receive(exchange, head.response, headBytes: head.byteCount, at: instant)
        }
    }

    /// Content has arrived.
    func receive(_ byteCount: Int, total: Int64, at instant: MonotonicInstant) {
        if let outlet {
            outlet.emit(.responseBodyReceived(byteCount: Int64(byteCount), total: total))
        } else {
            timelines.receive(exchange, bodyBytes: total, at: instant)
        }
    }

    /// The exchange is over. `instant` is when the end of the response arrived; `nil` for now.
    func release(_ fate: TransportEvent.ConnectionFate, at instant: MonotonicInstant?) {
        if outlet == nil, fate == .kept {
            timelines.release(exchange, at: instant ?? now)
        } else {
            report(.released(fate), isLast: true)
        }
    }
}
