public import FoundationEssentials
public import HTTPTypes
internal import Synchronization

/// The content of a response, read once and in order.
///
/// Only ``next()`` takes bytes from the connection, so a slow reader slows the server down. A body is a class because
/// it stands for one exchange: dropping it before its end, or calling ``cancel()``, ends the exchange. It has one
/// reader at a time.
public final class ResponseBody: Sendable {
    private let state: Mutex<ResponseBodyState>
    private let source: (any ResponseBodySource)?

    /// The number of bytes that the head announced; `nil` if it announced none. A body that ends earlier fails.
    public let expectedLength: Int64?

    /// Creates a body from the source of an engine or a layer.
    ///
    /// - Parameters:
    ///   - source: The source of the bytes.
    ///   - expectedLength: The number of bytes that the head announced; a negative one counts as `nil`. Pass `nil` for
    ///     a response without content (RFC 9110 §6.4.1: to `HEAD`, or with `304`), regardless of its head.
    public init(_ source: any ResponseBodySource, expectedLength: Int64? = nil) {
        self.source = source
        self.expectedLength = expectedLength.flatMap { $0 < 0 ? nil : $0 }
        state = Mutex(.idle)
    }

    /// Creates a body from bytes in memory.
    ///
    /// - Parameters:
    ///   - data: All bytes.
    ///   - trailers: The trailer fields, if there were any.
    public init(_ data: Data = Data(), trailers: HTTPFields? = nil) {
        source = nil
        expectedLength = Int64(data.count)
        state = Mutex(data.isEmpty ? .ended(trailers: trailers) : .whole(data, trailers: trailers))
    }

    /// Creates a body from bytes in memory whose length the head did not announce.
    ///
    /// - Parameters:
    ///   - data: All bytes.
    ///   - trailers: The trailer fields, if there were any.
    package init(unannounced data: Data, trailers: HTTPFields?) {
        source = nil
        expectedLength = nil
        state = Mutex(data.isEmpty ? .ended(trailers: trailers) : .whole(data, trailers: trailers))
    }

    deinit {
        cancel()
    }

    /// Returns the next bytes, at least one, or `nil` at the end.
    ///
    /// Calls after the end return `nil`, and calls after an error throw the same error: a truncated body never looks
    /// complete.
    ///
    /// - Throws: A ``TransportError`` if the connection is lost, a limit elapses, the framing is malformed, the task or
    ///   the body is cancelled, or another reader is waiting for bytes.
    public func next() async throws(TransportError) -> Data? {
        while true {
            let known = try state.withLock { state throws(TransportError) in try state.begin() }
            if let known { return known.data }
            guard let source else { return nil }
            let chunk: Data?
            do throws(TransportError) {
                chunk = try await source.next()
            } catch {
                state.withLock { $0.fail(error) }
                throw error
            }
            guard let chunk else {
                let trailers = source.trailers
                try state.withLock { state throws(TransportError) in try state.finish(trailers: trailers) }
                return nil
            }
            try state.withLock { state throws(TransportError) in try state.pause() }
            if !chunk.isEmpty { return chunk }
        }
    }

    /// Returns the result of ``next()`` if it is known already; `nil` if the reader would have to wait. A small body
    /// often arrives with its head, and this saves an asynchronous call
    /// (Docs/Decisions/0107-stages-look-before-they-wait.md).
    package func nextAtOnce() -> Data?? { state.withLock { $0.takeKnown() }.map(\.data) }

    /// Returns the whole body.
    ///
    /// - Parameter limit: The maximum number of bytes. A longer body fails with ``TransportError/Code/bodyTooLarge``,
    ///   and its exchange ends.
    /// - Throws: The errors of ``next()``.
    public func collect(upTo limit: Int) async throws(TransportError) -> Data {
        if let expectedLength, expectedLength > Int64(limit) { throw tooLarge(limit) }
        // A body that has arrived whole needs no asynchronous call.
        let whole = try state.withLock { state throws(TransportError) in
            try state.takeWhole(upTo: limit, else: Self.tooLargeError(limit))
        }
        if let whole { return whole }
        guard var collected = try await next() else { return Data() }
        guard collected.count <= limit else { throw tooLarge(limit) }
        var isReserved = false
        while let chunk = try await next() {
            guard chunk.count <= limit - collected.count else { throw tooLarge(limit) }
            if !isReserved, let expectedLength {
                // Bounded, because a peer may announce far more than it sends.
                collected.reserveCapacity(Int(Swift.min(expectedLength, 8 << 20)))
                isReserved = true
            }
            collected.append(chunk)
        }
        return collected
    }

    /// The trailer fields (RFC 9110 §6.5), once ``next()`` has returned `nil`; `nil` before, and if there were none.
    public var trailers: HTTPFields? {
        state.withLock { state in
            if case .ended(let trailers) = state { trailers } else { nil }
        }
    }

    /// Ends the exchange and discards the rest of the body. Waiting and later readers receive an error. A body that has
    /// ended is not affected.
    public func cancel() {
        giveUp(.cancelled(in: .responseBody, processing: .unknown))
    }

    /// - Parameter error: Evaluated only if the body has not ended; most have when they are dropped.
    private func giveUp(_ error: @autoclosure () -> TransportError) {
        let mustCancel = state.withLock { $0.giveUp(error()) }
        if mustCancel { source?.cancel() }
    }

    /// Ends the exchange, and returns the error of a body with more than `limit` bytes.
    private func tooLarge(_ limit: Int) -> TransportError {
        let error = Self.tooLargeError(limit)
        giveUp(error)
        return error
    }

    private static func tooLargeError(_ limit: Int) -> TransportError {
        TransportError(
            .bodyTooLarge,
            phase: .responseBody,
            processing: .unknown,
            message: "the response's body exceeds the limit of \(limit) bytes"
        )
    }
}

extension ResponseBody: AsyncSequence {
    /// Reads a body with `for try await`.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let body: ResponseBody

        /// Returns the next bytes, at least one, or `nil` at the end.
        ///
        /// - Throws: The errors of ``ResponseBody/next()``.
        public mutating func next() async throws(TransportError) -> Data? {
            try await body.next()
        }

        /// Returns the next bytes, at least one, or `nil` at the end.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Throws: The errors of ``ResponseBody/next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> Data? {
            try await body.next()
        }
    }

    /// Returns an iterator over the unread part.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: self)
    }
}
