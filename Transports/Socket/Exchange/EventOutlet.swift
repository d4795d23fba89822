internal import AirframeTransport
internal import Synchronization

/// Passes an exchange's events to its sink, one at a time and in order, whoever they come from: a request may be sent while its
/// response is read.
///
/// The sink is never called with the lock held: who finds a call under way leaves its event for that caller to pass on.
final class EventOutlet: Sendable {
    private struct State {
        var waiting: [TransportEvent] = []
        var isPassing = false
        /// Whether the last event was taken: none follows it.
        var isClosed = false
    }

    private let sink: any TransportEventSink
    private let clock: any TransportClock
    // Guards the events that wait for the one who passes them on.
    private let state = Mutex(State())

    init(_ sink: any TransportEventSink, clock: any TransportClock) {
        self.sink = sink
        self.clock = clock
    }

    /// Passes on what has happened now.
    func emit(_ kind: TransportEvent.Kind, isLast: Bool = false) {
        let event = TransportEvent(kind, at: clock.now)
        let mustPass = state.withLock { state in
            guard !state.isClosed else { return false }
            state.isClosed = isLast
            if state.isPassing {
                state.waiting.append(event)
                return false
            }
            state.isPassing = true
            return true
        }
        guard mustPass else { return }
        sink.receive(event)
        while let next = takeNext() { sink.receive(next) }
    }

    private func takeNext() -> TransportEvent? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isPassing = false
            return nil
        }
    }
}
