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
    private let clock: any TransportClock
    // Changed with the lock of what is held, and read without it for all events but the last.
    private let state = Atomic(State.holding)
    // Guards what the last event says, which is held. The listener is called without it.
    private let held = Mutex<TransportEvent.ConnectionFate?>(nil)

    init(_ listener: any TransportEventSink, _ clock: any TransportClock) {
        self.listener = listener
        self.clock = clock
    }

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
        if let fate { listener.receive(TransportEvent(.released(fate), at: clock.now)) }
    }

    /// Passes on a failure as the last event.
    func close(with failure: TransportError) {
        held.withLock { _ in state.store(.closed, ordering: .releasing) }
        listener.receive(TransportEvent(.failed(failure), at: clock.now))
    }

    /// Tells of bytes that were decoded.
    func decoded(_ byteCount: Int, total: Int64) {
        receive(TransportEvent(.responseBodyDecoded(byteCount: Int64(byteCount), total: total), at: clock.now))
    }
}
