public import FoundationEssentials

/// The bytes of a body, in order, for one transmission.
///
/// A transport pulls: it calls ``next()`` when the connection can accept more, and never concurrently.
public protocol RequestBodySource: AnyObject, Sendable {
    /// Returns the next bytes, or `nil` at the end. Chunks of 16 to 256 KiB are best; empty ones are skipped.
    ///
    /// - Throws: Any error. It ends the exchange and reaches the caller as the underlying error of
    ///   ``TransportError/Code/bodyFailed``.
    func next() async throws -> Data?

    /// Releases the source's resources, because the exchange ended before the body. ``next()`` is not called again.
    func cancel()
}

extension RequestBodySource {
    /// Does nothing, for a source without resources.
    public func cancel() {}
}

/// The elements of an asynchronous sequence as the source of a body.
///
/// An actor, because an iterator has mutable state and is not `Sendable`.
actor SequenceBodySource<Bytes: AsyncSequence & Sendable>: RequestBodySource where Bytes.Element == Data {
    private var iterator: Bytes.AsyncIterator?
    private var isCancelled = false

    init(_ sequence: Bytes) {
        iterator = sequence.makeAsyncIterator()
    }

    func next() async throws -> Data? {
        guard var current = iterator else { return nil }
        iterator = nil
        guard let chunk = try await current.next(isolation: self) else { return nil }
        // The exchange may have ended during the wait. The iterator is then dropped, and the sequence with it.
        if !isCancelled { iterator = current }
        return chunk
    }

    nonisolated func cancel() {
        Task { await drop() }
    }

    private func drop() {
        isCancelled = true
        iterator = nil
    }
}
