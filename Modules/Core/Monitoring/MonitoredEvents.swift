/// Kinds of events that a monitor can be told of.
///
/// An event that no monitor wants is not made, and nothing is put on a queue for it: a monitor that says what it wants is
/// a cheap one.
public struct MonitoredEvents: OptionSet, Sendable, Hashable {
    /// One bit a kind.
    public let rawValue: UInt8

    /// Makes a set of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What happens to a request, from its making to its end: `request(_:did…)`, `requestDid…`, `requestIsRetrying(_:)`.
    public static let requests = MonitoredEvents(rawValue: 1 << 0)
    /// What happens to its tasks: `urlSession(…)`, but for ``bodies``.
    public static let tasks = MonitoredEvents(rawValue: 1 << 1)
    /// Each piece of a body that is sent, received, or written into a file.
    public static let bodies = MonitoredEvents(rawValue: 1 << 2)
    /// Validations, and values that are made of responses.
    public static let results = MonitoredEvents(rawValue: 1 << 3)
    /// Every phase of an exchange and every decision: `request(_:didReceive:)` with a `TransportEvent`.
    public static let transport = MonitoredEvents(rawValue: 1 << 4)

    /// All of them.
    public static let all: MonitoredEvents = [.requests, .tasks, .bodies, .results, .transport]
}
