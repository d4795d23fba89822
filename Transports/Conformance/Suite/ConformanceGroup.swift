/// What a case is about. The first part of its id.
public enum ConformanceGroup: String, Sendable, CaseIterable {
    /// Events and their order.
    case events
    /// Who is slow makes the other wait.
    case backpressure
    /// Cancelling, exactly, in each phase.
    case cancellation
    /// Responses that nobody reads to their end.
    case halfread
    /// Contents of requests, and how often they can be sent.
    case replay
    /// What goes over the wire.
    case request
    /// Informational responses (RFC 9110 §15.2).
    case informational
    /// Responses without content: to `HEAD`, `204`, `304` (RFC 9110 §6.4.1).
    case content
    /// Lengths, and those that lie (RFC 9112 §6).
    case length
    /// The chunked coding at its edges (RFC 9112 §7).
    case chunked
    /// Status lines and fields, sound and broken (RFC 9112 §4, §5).
    case head
    /// What is no HTTP at all.
    case garbage
    /// Connections that break, in each phase, and whether the server may have acted.
    case broken
    /// Limits, in each phase.
    case limits
    /// Connections that are kept (RFC 9112 §9).
    case reuse
    /// Many exchanges at once.
    case concurrency
    /// Sending and receiving at once.
    case duplex
    /// Options, and those that an engine lacks.
    case options
    /// Trust in servers, identities of clients, and TLS.
    case trust
    /// What is left behind: descriptors, threads, tasks; shutting down.
    case resources
    /// Requests that switch protocols or open a tunnel.
    case upgrade
    /// Faults that a client meets, each with the outcome that is due.
    case fault
    /// HTTP/2: how streams end, floods, windows (RFC 9113).
    case http2
}
