internal import AirframeTransport
internal import Synchronization

/// Keeps the order of events: an exchange's last one is not passed on while there is content left to decode.
///
/// The engine has done its part when the last coded byte is taken; to those who listen the exchange ends with the last
/// decoded one.
final class ReleaseGate: TransportEventSink {
    private enum State: UInt8, AtomicRepresentable {
        /// Events pass, but for the last one.
        case holding
        /// All events pass.
        case open
        /// None do: the exchange has failed here, and what the engine says of its end is of no interest.
        case closed
    }

    private let listener: any TransportEventSink
    private let request: TransportRequest
    private let clock: any TransportClock
    // Changed with the lock of what is held, and read without it for all events but the last.
    private let state = Atomic(State.holding)
    // Guards what the last event says, which is held. The listener is called without it.
    private let held = Mutex<TransportEvent.ConnectionFate?>(nil)

    /// Makes a gate in front of the request's sink; `nil` if that does not ask for the end of an exchange.
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
            default: state.load(ordering: .acquiring) != .closed
            }
        if passes { listener.receive(event) }
    }

    /// Whether the last event passes; it is held otherwise, unless the exchange has failed.
    private func passes(_ fate: TransportEvent.ConnectionFate) -> Bool {
        held.withLock { held in
            let state = state.load(ordering: .relaxed)
            if state == .holding { held = fate }
            return state == .open
        }
    }

    /// Passes on what was held, as of now, and all that follows.
    func open() {
        let fate = held.withLock { held -> TransportEvent.ConnectionFate? in
            guard state.load(ordering: .relaxed) == .holding else { return nil }
            state.store(.open, ordering: .releasing)
            return held
        }
        if let fate { request.report(.released(fate), on: clock) }
    }

    /// Passes nothing on any more: the exchange has failed here.
    func close() { held.withLock { _ in state.store(.closed, ordering: .releasing) } }
}
