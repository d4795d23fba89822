public import FoundationEssentials

/// A two-way stream of bytes. Each direction has at most one caller at a time.
public protocol DuplexStream: AnyObject, Sendable {
    /// Returns the next bytes from the peer, or `nil` once the peer has ended its direction. Not calling is
    /// backpressure.
    func read() async throws(TransportError) -> Data?

    /// Writes all of `data`; returns once the connection has accepted it.
    func write(_ data: Data) async throws(TransportError)

    /// Writes the bytes that the connection accepts at once, without waiting. Only the writer calls it, like
    /// ``write(_:)``.
    ///
    /// - Returns: The number of bytes written, from the first on. ``write(_:)`` writes the rest, or throws why that is
    ///   impossible. 0 by default.
    func writeAtOnce(_ bytes: RawSpan) -> Int

    /// Ends this side's direction; the peer's stays open.
    func finishWriting() async throws(TransportError)

    /// Closes both directions at once.
    func close()
}

extension DuplexStream {
    public func writeAtOnce(_ bytes: RawSpan) -> Int { 0 }
}
