internal import Synchronization

/// Keeps the timelines of the exchanges that one request leads to: hops, answers to challenges, revalidations.
///
/// An engine records in place, so that a timeline costs no event: for the phases of every exchange there is a function
/// each, which makes no ``TransportEvent/Kind``. A caller that wants timelines of an exchange that may
/// fail sets a recorder as ``TransportRequest/timelines``; otherwise the response brings the engine's own.
public final class TimelineRecorder: Sendable {
    private struct State {
        /// The exchange that began last, apart from the earlier ones: most requests lead to no other.
        var current: ExchangeTimeline?
        var earlier: [ExchangeTimeline] = []
        var isClosed = false
    }

    // Guards the timelines. Engines and layers record from their own threads.
    private let state = Mutex(State())

    /// A recorder without timelines.
    public init() {}

    /// The timelines so far, in the order in which their exchanges began.
    public var timelines: [ExchangeTimeline] {
        state.withLock { state in state.earlier + (state.current.map { [$0] } ?? []) }
    }

    /// The timeline of `exchange`, as far as it has come.
    public func timeline(of exchange: ExchangeIdentifier) -> ExchangeTimeline? {
        state.withLock { state in
            if let current = state.current, current.exchange == exchange { return current }
            return state.earlier.first { $0.exchange == exchange }
        }
    }

    /// Adds an event to the timeline of its exchange, for the events of an engine that records nothing itself.
    public func record(_ event: TransportEvent) { record(event.kind, of: event.exchange, at: event.instant) }

    /// Adds what happened to the timeline of its exchange, without an event.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - exchange: The exchange that it belongs to.
    ///   - instant: When it happened, on the transport's clock.
    public func record(
        _ kind: consuming TransportEvent.Kind,
        of exchange: ExchangeIdentifier,
        at instant: MonotonicInstant
    ) {
        // Optional, so that it can be consumed within the closure.
        var kind = Optional(kind)
        change(exchange, at: instant) { timeline in
            if let kind = kind.take() { timeline.record(kind, at: instant) }
        }
    }

    /// Changes the timeline of `exchange`, which is made if there is none.
    @inline(__always)
    func change(
        _ exchange: ExchangeIdentifier,
        at instant: MonotonicInstant,
        _ change: (inout ExchangeTimeline) -> Void
    ) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.current?.exchange != exchange {
                if let index = state.earlier.firstIndex(where: { $0.exchange == exchange }) {
                    return change(&state.earlier[index])
                }
                if let current = state.current { state.earlier.append(current) }
                state.current = ExchangeTimeline(of: exchange, at: instant)
            }
            state.current?.apply(change)
        }
    }

    /// Ignores everything from now on: the metrics of a request that has ended do not change.
    ///
    /// - Returns: The first instant of the first exchange; the clock's start if there was none.
    package func close() -> MonotonicInstant {
        state.withLock { state in
            state.isClosed = true
            return state.earlier.first?.first ?? state.current?.first ?? MonotonicInstant(nanoseconds: 0)
        }
    }
}
