public import FoundationEssentials

/// A two-way stream of bytes. Each direction has at most one caller at a time.
public protocol DuplexStream: AnyObject, Sendable {
    /// Returns the next bytes from the peer, or `nil` once the peer has ended its direction. A caller that stops
    /// reading exerts backpressure on the peer.
    ///
    /// - Throws: ``TransportError/Code/connectionLost``, or ``TransportError/Code/cancelled`` if the task is cancelled
    ///   or the stream was closed at this end.
    func read() async throws(TransportError) -> Data?

    /// Waits until ``readAtOnce(into:)`` or ``read()`` has something to return. Only the reader calls it. Returns
    /// immediately by default.
    ///
    /// - Throws: The errors of ``read()``.
    func untilReadable() async throws(TransportError)

    /// Reads the bytes that have arrived, without waiting. Only the reader calls it, like ``read()``.
    ///
    /// - Returns: The number of bytes written to `buffer`. 0 by default, or if there are none: ``read()`` then waits
    ///   for bytes, or reports the end.
    func readAtOnce(into buffer: UnsafeMutableRawBufferPointer) -> Int

    /// Writes all of `data`; returns once the connection has accepted it.
    ///
    /// - Throws: The errors of ``read()``; ``TransportError/Code/invalidRequest`` after ``finishWriting()``.
    func write(_ data: Data) async throws(TransportError)

    /// Writes the bytes that the connection accepts immediately, without waiting. Only the writer calls it, like
    /// ``write(_:)``.
    ///
    /// - Returns: The number of bytes written, from the first on. ``write(_:)`` writes the rest, or throws why that is
    ///   impossible. 0 by default.
    func writeAtOnce(_ bytes: RawSpan) -> Int

    /// Ends this side's direction; the peer's stays open.
    ///
    /// - Throws: The errors of ``read()``.
    func finishWriting() async throws(TransportError)

    /// Closes both directions immediately.
    func close()
}

extension DuplexStream {
    /// Returns immediately, without an error.
    public func untilReadable() async throws(TransportError) {}

    /// Reads nothing.
    public func readAtOnce(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

    /// Writes nothing.
    public func writeAtOnce(_ bytes: RawSpan) -> Int { 0 }
}
