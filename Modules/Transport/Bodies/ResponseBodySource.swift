public import FoundationEssentials
public import HTTPTypes

/// The source of a response's body: an engine's connection, or a layer that transforms another body.
public protocol ResponseBodySource: AnyObject, Sendable {
    /// Returns the next bytes, at least one, or `nil` at the end. Called by one reader at a time, and not again after
    /// `nil` or an error.
    ///
    /// Cancelling the task that waits here ends the exchange immediately.
    func next() async throws(TransportError) -> Data?

    /// The trailer fields. Read after the end.
    var trailers: HTTPFields? { get }

    /// Ends the exchange. Called at most once, from any thread, possibly while a reader waits: ``next()`` then throws
    /// ``TransportError/Code/cancelled``.
    func cancel()
}

extension ResponseBodySource {
    /// No trailer fields.
    public var trailers: HTTPFields? { nil }
}
