public import AirframeTransport
internal import Synchronization

/// A sink that keeps the events of exchanges.
public final class EventLog: TransportEventSink {
    // Guards the events so far.
    private let log = Mutex<[TransportEvent]>([])

    /// Creates an empty log.
    public init() {}

    /// Keeps an event.
    public func receive(_ event: TransportEvent) { log.withLock { $0.append(event) } }

    /// The events so far, in order.
    public var events: [TransportEvent] { log.withLock { $0 } }

    /// The events by name, without their values.
    public var names: [String] { events.map { event in String("\(event.kind)".prefix { $0 != "(" }) } }

    /// When the events happened.
    public var instants: [MonotonicInstant] { events.map(\.instant) }

    /// The exchange of each event.
    public var exchanges: [ExchangeIdentifier] { events.map(\.exchange) }

    /// The decisions among the events.
    public var decisions: [TransportDecision] {
        events.compactMap { if case .decided(let decision) = $0.kind { decision } else { nil } }
    }

    /// The error that the last event reports, if it reports one.
    public var error: TransportError? {
        if case .failed(let error) = events.last?.kind { error } else { nil }
    }

    /// How often an exchange ended by the log.
    public var endCount: Int { names.count { $0 == "failed" || $0 == "released" } }
}
