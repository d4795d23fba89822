internal import AirframeTransport
internal import Synchronization

/// Passes an exchange's events to its sink, one at a time and in order, whoever they come from: a request may be sent
/// while its response is read.
///
/// The sink is never called with the lock held: who finds a call under way leaves its event for that caller to pass on.
///
/// A server may answer between the system call that sends the last byte and the word that it was sent. Who sends
/// therefore holds the outlet meanwhile: what others tell comes after what the sender tells.
final class EventOutlet: Sendable {
    private struct State {
        var waiting: [TransportEvent] = []
        var isPassing = false
        /// Whether the last event was taken: none follows it.
        var isClosed = false
        var isHeld = false
        /// What others told while the outlet was held.
        var heldBack: [(kind: TransportEvent.Kind, isLast: Bool)] = []
    }

    private let exchange: ExchangeIdentifier
    private let timelines: TimelineRecorder
    private let sink: any TransportEventSink
    private let wanted: TransportEventKinds
    private let clock: any TransportClock
    // Guards the events that wait for the one who passes them on.
    private let state = Mutex(State())

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

    /// Passes on what has happened now.
    ///
    /// - Parameters:
    ///   - isLast: Whether none follows it.
    ///   - isFromHolder: Whether it comes from whoever holds the outlet, if it is held.
    func emit(_ kind: TransportEvent.Kind, isLast: Bool = false, isFromHolder: Bool = false) {
        // What nobody asks for goes into the timeline, and is no event.
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

    /// Holds back what others tell until ``release()``, which must come soon: nothing is waited for in between.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Passes on what others told meanwhile, as of now.
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
