/// The subject of a case, which is the first part of its id.
public enum ConformanceGroup: String, Sendable, CaseIterable {
    /// Events and their order.
    case events
    /// Backpressure in both directions.
    case backpressure
    /// Cancellation in each phase.
    case cancellation
    /// Responses that are not read to their end.
    case halfread
    /// The content of requests, and its repetition.
    case replay
    /// Requests on the wire.
    case request
    /// Informational responses (RFC 9110 §15.2).
    case informational
    /// Responses without content: to `HEAD`, `204`, `304` (RFC 9110 §6.4.1).
    case content
    /// Announced lengths, right and wrong (RFC 9112 §6).
    case length
    /// Edge cases of the chunked coding (RFC 9112 §7).
    case chunked
    /// Status lines and fields, valid and malformed (RFC 9112 §4, §5).
    case head
    /// Bytes that are not HTTP.
    case garbage
    /// Connections that break in each phase, and whether the server may have processed the request.
    case broken
    /// Time limits in each phase.
    case limits
    /// Connections that are kept (RFC 9112 §9).
    case reuse
    /// Concurrent exchanges.
    case concurrency
    /// Full duplex.
    case duplex
    /// Options, including those that an engine lacks.
    case options
    /// Trust in servers, client identities and TLS.
    case trust
    /// Leaks of descriptors, threads and tasks, and shutdown.
    case resources
    /// Requests for another protocol or a tunnel.
    case upgrade
    /// Common faults, each with the required outcome.
    case fault
    /// HTTP/2: heads, ends of streams, limits, floods, windows (RFC 9113).
    case http2
}
