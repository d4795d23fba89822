/// The kinds of events that a monitor receives.
///
/// An event that no monitor wants is neither constructed nor enqueued.
public struct MonitoredEvents: OptionSet, Sendable, Hashable {
    /// One bit for each kind.
    public let rawValue: UInt16

    /// Creates a set from bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The making and adaptation of a request's `URLRequest`, content and destination, and their failures.
    public static let preparation = MonitoredEvents(rawValue: 1 << 0)
    /// A request's tasks, one per attempt, with their metrics and ends; downloaded files; retries.
    public static let attempts = MonitoredEvents(rawValue: 1 << 1)
    /// The resumption, suspension and cancellation of a request and its tasks.
    public static let states = MonitoredEvents(rawValue: 1 << 2)
    /// The end of a request, `requestDidFinish(_:)`, and of a session.
    public static let ends = MonitoredEvents(rawValue: 1 << 3)
    /// The events of tasks, `urlSession(…)`, except ``bodies``.
    public static let tasks = MonitoredEvents(rawValue: 1 << 4)
    /// Each chunk of a body that is sent, received or written to a file.
    public static let bodies = MonitoredEvents(rawValue: 1 << 5)
    /// Validations and serialized values.
    public static let results = MonitoredEvents(rawValue: 1 << 6)
    /// Every phase of an exchange and every decision: `request(_:didReceive:)` with a `TransportEvent`.
    public static let transport = MonitoredEvents(rawValue: 1 << 7)
    /// Each message and control frame of a WebSocket: `request(_:didTransfer:)`.
    public static let messages = MonitoredEvents(rawValue: 1 << 8)

    /// The events of a request from its creation to its end.
    public static let requests: MonitoredEvents = [.preparation, .attempts, .states, .ends]
    /// All events.
    public static let all: MonitoredEvents = [.requests, .tasks, .bodies, .results, .transport, .messages]
}
