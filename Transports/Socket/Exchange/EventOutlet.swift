internal import AirframeTransport
internal import Synchronization

/// Delivers an exchange's events to its sink, one at a time and in order, from every task that takes part: one task may
/// send the request while another reads the response.
///
/// The sink is never called with the lock held: a task that finds a delivery in progress queues its event, and the
/// delivering task delivers it next.
///
/// A server may answer between the system call that sends the last byte and the report that it was sent. The sender
/// therefore holds the outlet meanwhile: events from other tasks are queued until the sender's have been delivered.
final class EventOutlet: Sendable {
    private struct OutletState {
        var waiting: [TransportEvent] = []
        var isPassing = false
        /// Whether the last event was accepted. Later events are dropped.
        var isClosed = false
        var isHeld = false
        /// Events of other tasks that arrived while the outlet was held.
        var heldBack: [(kind: TransportEvent.Kind, isLast: Bool)] = []
    }

    private let exchange: ExchangeIdentifier
    private let timelines: TimelineRecorder
    private let sink: any TransportEventSink
    private let wanted: TransportEventKinds
    private let clock: any TransportClock
    // Guards the queued events.
    private let state = Mutex(OutletState())

    init(
        _ exchange: ExchangeIdentifier,
        _ timelines: TimelineRecorder,
        _ sink: any TransportEventSink,
        _ wanted: TransportEventKinds,
        _ clock: any TransportClock
    ) {
        self.exchange = exchange
        self.timelines = timelines
        self.sink = sink
        self.wanted = wanted
        self.clock = clock
    }

    /// Delivers or queues an event with the present time.
    ///
    /// - Parameters:
    ///   - isLast: Whether this is the exchange's last event.
    ///   - isFromHolder: Whether the caller is the task that holds the outlet, if it is held.
    func emit(_ kind: TransportEvent.Kind, isLast: Bool = false, isFromHolder: Bool = false) {
        // An event that the sink does not want is only recorded in the timeline.
        guard wanted.contains(kind.group) || isLast else {
            timelines.record(kind, of: exchange, at: clock.now)
            return
        }
        let event = TransportEvent(kind, of: exchange, at: clock.now)
        let mustPass = state.withLock { state in
            guard !state.isClosed else { return false }
            guard !state.isHeld || isFromHolder else {
                state.heldBack.append((kind, isLast))
                return false
            }
            state.isClosed = isLast
            if state.isPassing {
                state.waiting.append(event)
                return false
            }
            state.isPassing = true
            return true
        }
        guard mustPass else { return }
        pass(event)
        passOn()
    }

    private func pass(_ event: TransportEvent) {
        timelines.record(event)
        if wanted.contains(event.kind.group) { sink.receive(event) }
    }

    /// Queues the events of other tasks until ``release()``. The caller must not suspend in between.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Delivers the queued events with the present time.
    func release() {
        let now = clock.now
        let mustPass = state.withLock { state in
            guard state.isHeld else { return false }
            state.isHeld = false
            guard !state.heldBack.isEmpty else { return false }
            for held in state.heldBack where !state.isClosed {
                state.waiting.append(TransportEvent(held.kind, of: exchange, at: now))
                state.isClosed = held.isLast
            }
            state.heldBack = []
            guard !state.isPassing else { return false }
            state.isPassing = true
            return true
        }
        if mustPass { passOn() }
    }

    private func passOn() {
        while let next = takeNext() { pass(next) }
    }

    private func takeNext() -> TransportEvent? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isPassing = false
            return nil
        }
    }
}
