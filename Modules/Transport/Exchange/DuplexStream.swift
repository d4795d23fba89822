public import FoundationEssentials

/// A two-way stream of bytes. Each direction has at most one caller at a time.
public protocol DuplexStream: AnyObject, Sendable {
    /// Returns the next bytes from the peer, or `nil` once the peer has ended its direction. Not calling is
    /// backpressure.
    func read() async throws(TransportError) -> Data?

    /// Writes all of `data`; returns once the connection has accepted it.
    func write(_ data: Data) async throws(TransportError)

    /// Ends this side's direction; the peer's stays open.
    func finishWriting() async throws(TransportError)

    /// Closes both directions at once.
    func close()
}
