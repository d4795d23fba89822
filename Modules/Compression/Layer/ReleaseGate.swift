internal import AirframeTransport
internal import Synchronization

/// Holds the last event of an exchange while content is left to decode.
///
/// The engine reports the end of the exchange with the last coded byte; the request's sink gets it after the last
/// decoded byte.
final class ReleaseGate: TransportEventSink {
    private enum Position: UInt8, AtomicRepresentable {
        /// All events but the last one pass.
        case holding
        /// All events pass.
        case open
        /// No events pass: decoding has failed and the failure has been reported.
        case closed
    }

    private let listener: any TransportEventSink
    private let request: TransportRequest
    private let clock: any TransportClock
    // Changed under the lock of the held event, and read without it for all events but the last.
    private let position = Atomic(Position.holding)
    // Guards the event that is held. The sink is called without it.
    private let held = Mutex<TransportEvent.ConnectionFate?>(nil)

    /// Makes a gate in front of the request's sink; `nil` if the sink does not ask for the end of an exchange.
    init?(_ request: TransportRequest, _ clock: any TransportClock) {
        guard request.wants(.boundaries), let listener = request.events else { return nil }
        self.listener = listener
        self.request = request
        self.clock = clock
    }

    var wantedEvents: TransportEventKinds { listener.wantedEvents }

    func receive(_ event: TransportEvent) {
        let passes =
            switch event.kind {
            case .released(let fate): passes(fate)
            default: position.load(ordering: .acquiring) != .closed
            }
        if passes { listener.receive(event) }
    }

    /// Whether the last event passes. Otherwise it is held, or dropped if decoding has failed.
    private func passes(_ fate: TransportEvent.ConnectionFate) -> Bool {
        held.withLock { held in
            let position = position.load(ordering: .relaxed)
            if position == .holding { held = fate }
            return position == .open
        }
    }

    /// Delivers the held event with the current instant, and lets later events pass.
    func open() {
        let fate = held.withLock { held -> TransportEvent.ConnectionFate? in
            guard position.load(ordering: .relaxed) == .holding else { return nil }
            position.store(.open, ordering: .releasing)
            return held
        }
        if let fate { request.report(.released(fate), on: clock) }
    }

    /// Drops the held event and all later ones: decoding has failed.
    func close() { held.withLock { _ in position.store(.closed, ordering: .releasing) } }
}
