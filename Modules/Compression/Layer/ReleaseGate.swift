internal import AirframeTransport
internal import Synchronization

/// Keeps the order of events: an exchange's last one is not passed on while there is content left to decode.
///
/// The engine has done its part when the last coded byte is taken; to those who listen the exchange ends with the last
/// decoded one.
final class ReleaseGate: TransportEventSink {
    private enum State {
        /// Events pass, but for the last one.
        case holding(last: TransportEvent.Kind?)
        /// All events pass.
        case open
        /// None do: the exchange has failed here, and what the engine says of its end is of no interest.
        case closed
    }

    private let listener: any TransportEventSink
    private let clock: any TransportClock
    // Guards the event that is held. The listener is called without it.
    private let state = Mutex(State.holding(last: nil))

    init(_ listener: any TransportEventSink, _ clock: any TransportClock) {
        self.listener = listener
        self.clock = clock
    }

    func receive(_ event: TransportEvent) {
        let passes = state.withLock { state in
            switch state {
            case .open: return true
            case .closed: return false
            case .holding:
                guard case .released = event.kind else { return true }
                state = .holding(last: event.kind)
                return false
            }
        }
        if passes { listener.receive(event) }
    }

    /// Passes on what was held, as of now, and all that follows.
    func open() {
        let held = state.withLock { state -> TransportEvent.Kind? in
            guard case .holding(let last) = state else { return nil }
            state = .open
            return last
        }
        if let held { listener.receive(TransportEvent(held, at: clock.now)) }
    }

    /// Passes on a failure as the last event.
    func close(with failure: TransportError) {
        state.withLock { $0 = .closed }
        listener.receive(TransportEvent(.failed(failure), at: clock.now))
    }

    /// Tells of bytes that were decoded.
    func decoded(_ byteCount: Int, total: Int64) {
        receive(TransportEvent(.responseBodyDecoded(byteCount: Int64(byteCount), total: total), at: clock.now))
    }
}
