internal import AirframeTransport
internal import Synchronization

/// Holds the last event of the response's exchange while content is left to decode.
///
/// The engine reports the end of the exchange with the last coded byte; the request's sink gets it after the last
/// decoded byte. Layers beneath may begin further exchanges, such as that of a stored response after its validation.
/// The events of the earlier exchanges pass in their order.
final class ReleaseGate: ForwardingEventSink {
    /// The exchange of the response, as far as the events tell.
    private struct Answer {
        enum Position {
            /// All events but the last one pass.
            case holding
            /// All events pass.
            case open
            /// Decoding has failed and the failure has been reported: no events of the exchange pass.
            case closed
        }

        var exchange: ExchangeIdentifier
        var position = Position.holding
        /// The last event of the exchange.
        var held: TransportEvent?
        /// Whether a cache has answered: it validates the response in the background, as another exchange.
        private var isFromCache = false

        init(_ exchange: ExchangeIdentifier) { self.exchange = exchange }

        /// Processes an event.
        ///
        /// - Returns: A held event to deliver first, because another exchange follows, and whether the event passes.
        mutating func receive(_ event: TransportEvent) -> (earlier: TransportEvent?, passes: Bool) {
            switch position {
            case .open: return (nil, true)
            case .closed: return (nil, event.exchange != exchange)
            case .holding: break
            }
            switch event.kind {
            case .decided(let decision): note(decision, of: event.exchange)
            case .started, .responseHead: return (follow(event.exchange), true)
            case .released:
                let earlier = follow(event.exchange)
                guard event.exchange == exchange else { return (earlier, true) }
                held = event
                return (earlier, false)
            default: break
            }
            return (nil, true)
        }

        private mutating func note(_ decision: TransportDecision, of exchange: ExchangeIdentifier) {
            switch decision.kind {
            case .servedFromCache: isFromCache = isFromCache || exchange == self.exchange
            case .followedRedirect, .answeredChallenge: isFromCache = false
            default: break
            }
        }

        private mutating func follow(_ next: ExchangeIdentifier) -> TransportEvent? {
            guard next != exchange, !isFromCache else { return nil }
            exchange = next
            return held.take()
        }
    }

    private let listener: any TransportEventSink
    private let request: TransportRequest
    private let clock: any TransportClock
    // Guards the exchange of the response and its last event. The sink is called without it.
    private let answer: Mutex<Answer>
    // Set under the lock, and read without it for the events of each piece of a body.
    private let isClosed = Atomic(false)

    /// Creates a gate in front of the request's sink; `nil` if the sink does not ask for the end of an exchange.
    init?(_ request: TransportRequest, _ clock: any TransportClock) {
        guard request.wants(.boundaries), let listener = request.events else { return nil }
        self.listener = listener
        self.request = request
        self.clock = clock
        answer = Mutex(Answer(request.exchange))
    }

    /// The events of the sink, and those that tell which exchange is the response's.
    var next: (any TransportEventSink)? { listener }

    var wantedEvents: TransportEventKinds { listener.wantedEvents.union([.response, .decisions]) }

    /// The exchange of the response, as far as the events tell.
    var exchange: ExchangeIdentifier { answer.withLock { $0.exchange } }

    func receive(_ event: TransportEvent) {
        var earlier: TransportEvent?
        var passes = true
        switch event.kind {
        case .started, .responseHead, .released, .decided:
            (earlier, passes) = answer.withLock { $0.receive(event) }
        default:
            if isClosed.load(ordering: .acquiring) { passes = event.exchange != exchange }
        }
        if let earlier { listener.receive(earlier) }
        if passes { listener.receive(event) }
    }

    /// Delivers the held event with the current instant, and lets later events pass.
    func open() {
        let event = answer.withLock { answer -> TransportEvent? in
            guard answer.position == .holding else { return nil }
            answer.position = .open
            return answer.held.take()
        }
        if let event { request.report(event.kind, of: event.exchange, on: clock) }
    }

    /// Drops the held event and all later ones of the exchange: decoding has failed.
    func close() {
        answer.withLock { answer in
            answer.position = .closed
            answer.held = nil
            isClosed.store(true, ordering: .releasing)
        }
    }
}
