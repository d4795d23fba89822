public import FoundationEssentials
public import HTTPTypes

/// Where a response's body comes from: an engine's connection, or a layer that changes another body.
public protocol ResponseBodySource: AnyObject, Sendable {
    /// The next bytes, at least one, or `nil` at the end. Called by one reader at a time, and not again after `nil`
    /// or an error.
    ///
    /// Cancelling the task that waits here ends the exchange at once.
    func next() async throws(TransportError) -> Data?

    /// The trailer fields, asked for after the end.
    var trailers: HTTPFields? { get }

    /// Ends the exchange. Called at most once, from any thread, also while a reader waits or is about to: ``next()``
    /// then throws ``TransportError/Code/cancelled``.
    func cancel()
}

extension ResponseBodySource {
    /// No trailer fields.
    public var trailers: HTTPFields? { nil }
}
