/// Kinds of events that a monitor can be told of.
///
/// An event that no monitor wants is not made, and nothing is put on a queue for it: a monitor that says what it wants is
/// a cheap one.
public struct MonitoredEvents: OptionSet, Sendable, Hashable {
    /// One bit a kind.
    public let rawValue: UInt16

    /// Makes a set of bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// How a request's `URLRequest`, content and destination are made, adapted, or fail to be.
    public static let preparation = MonitoredEvents(rawValue: 1 << 0)
    /// A request's tasks, one an attempt, with their metrics and ends; downloaded files; retries.
    public static let attempts = MonitoredEvents(rawValue: 1 << 1)
    /// A request and its tasks are resumed, suspended, cancelled.
    public static let states = MonitoredEvents(rawValue: 1 << 2)
    /// A request has ended: `requestDidFinish(_:)`. Also a session's.
    public static let ends = MonitoredEvents(rawValue: 1 << 3)
    /// What happens to tasks: `urlSession(…)`, but for ``bodies``.
    public static let tasks = MonitoredEvents(rawValue: 1 << 4)
    /// Each piece of a body that is sent, received, or written into a file.
    public static let bodies = MonitoredEvents(rawValue: 1 << 5)
    /// Validations, and values that are made of responses.
    public static let results = MonitoredEvents(rawValue: 1 << 6)
    /// Every phase of an exchange and every decision: `request(_:didReceive:)` with a `TransportEvent`.
    public static let transport = MonitoredEvents(rawValue: 1 << 7)
    /// Each message and control frame of a WebSocket: `request(_:didTransfer:)`.
    public static let messages = MonitoredEvents(rawValue: 1 << 8)

    /// What happens to a request from its making to its end.
    public static let requests: MonitoredEvents = [.preparation, .attempts, .states, .ends]
    /// All of them.
    public static let all: MonitoredEvents = [.requests, .tasks, .bodies, .results, .transport, .messages]
}
