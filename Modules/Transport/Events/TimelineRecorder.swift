internal import Synchronization

/// Holds the timelines of all exchanges of one request: hops, answers to challenges, revalidations.
///
/// An engine records in place: each phase that every exchange has is recorded by a function that constructs no
/// ``TransportEvent/Kind``. To receive the timelines of an exchange that may fail, set a recorder as
/// ``TransportRequest/timelines``; otherwise the response has the engine's own.
public final class TimelineRecorder: Sendable {
    private struct Timelines {
        /// The latest exchange, separate from the earlier ones, because most requests have only one. Not an optional,
        /// so that the first exchange begins in place: a timeline has some 300 bytes, which four copies
        /// would move.
        var latest = ExchangeTimeline(of: .none, at: MonotonicInstant(nanoseconds: 0))
        var earlier: [ExchangeTimeline] = []
        var isClosed = false

        /// The latest exchange; `nil` before the first.
        var current: ExchangeTimeline? { latest.exchange == .none ? nil : latest }

        /// Makes the timeline of another exchange the latest.
        mutating func begin(_ exchange: ExchangeIdentifier, at instant: MonotonicInstant) {
            if latest.exchange == .none {
                latest.exchange = exchange
                latest.first = instant
                latest.last = instant
            } else {
                earlier.append(latest)
                latest = ExchangeTimeline(of: exchange, at: instant)
            }
        }
    }

    // Guards the timelines. Engines and layers record from their own threads.
    private let recorded = Mutex(Timelines())

    /// Creates a recorder without timelines.
    public init() {}

    /// The timelines so far, in the order in which their exchanges began.
    public var timelines: [ExchangeTimeline] {
        recorded.withLock { recorded in recorded.earlier + (recorded.current.map { [$0] } ?? []) }
    }

    /// Returns the timeline of `exchange` up to now.
    public func timeline(of exchange: ExchangeIdentifier) -> ExchangeTimeline? {
        recorded.withLock { recorded in
            if recorded.latest.exchange == exchange { return recorded.latest }
            return recorded.earlier.first { $0.exchange == exchange }
        }
    }

    /// Adds an event to the timeline of its exchange, for engines that do not record in place.
    public func record(_ event: TransportEvent) { record(event.kind, of: event.exchange, at: event.instant) }

    /// Adds a step to the timeline of its exchange, without an event.
    ///
    /// - Parameters:
    ///   - kind: The kind of step.
    ///   - exchange: The exchange.
    ///   - instant: The instant on the transport's clock.
    public func record(
        _ kind: consuming TransportEvent.Kind,
        of exchange: ExchangeIdentifier,
        at instant: MonotonicInstant
    ) {
        // An optional can be consumed within the closure.
        var kind = Optional(kind)
        change(exchange, at: instant) { timeline in
            if let kind = kind.take() { timeline.record(kind, at: instant) }
        }
    }

    /// Changes the timeline of `exchange`. Creates it if there is none.
    @inline(__always)
    func change(
        _ exchange: ExchangeIdentifier,
        at instant: MonotonicInstant,
        _ change: (inout ExchangeTimeline) -> Void
    ) {
        recorded.withLock { recorded in
            guard !recorded.isClosed else { return }
            if recorded.latest.exchange != exchange {
                if let index = recorded.earlier.firstIndex(where: { $0.exchange == exchange }) {
                    return change(&recorded.earlier[index])
                }
                recorded.begin(exchange, at: instant)
            }
            change(&recorded.latest)
        }
    }

    /// Ignores all later steps: the metrics of a request that has ended must not change.
    ///
    /// - Returns: The first instant of the first exchange; the clock's start if there was none.
    package func close() -> MonotonicInstant {
        recorded.withLock { recorded in
            recorded.isClosed = true
            return recorded.earlier.first?.first ?? recorded.current?.first ?? MonotonicInstant(nanoseconds: 0)
        }
    }
}
