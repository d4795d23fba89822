public import FoundationEssentials

/// The bytes of one sending of a body, in order.
///
/// A transport pulls: it calls ``next()`` when the connection can take more, never twice at once.
public protocol RequestBodySource: AnyObject, Sendable {
    /// The next bytes, or `nil` at the end. Chunks of 16 to 256 KiB are best; empty ones are skipped.
    ///
    /// - Throws: Whatever stops the body. It ends the exchange and reaches the caller as the error beneath
    ///   ``TransportError/Code/bodyFailed``.
    func next() async throws -> Data?

    /// The exchange ended before the body did. No call of ``next()`` follows.
    func cancel()
}

extension RequestBodySource {
    /// Nothing to free.
    public func cancel() {}
}

/// The elements of an asynchronous sequence as the source of a body.
///
/// An actor, because an iterator has state and belongs to nobody else.
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
        // While this waited the exchange may have ended; the sequence is then free to go.
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
