public import FoundationEssentials
public import HTTPTypes
internal import Synchronization

/// The content of a response, read once, from front to back.
///
/// Only ``next()`` takes bytes from the connection: a caller that does not call it slows the server down. A body has
/// identity because there is one exchange behind it; dropping the body before its end, or ``cancel()``, ends that
/// exchange. It has one reader at a time.
public final class ResponseBody: Sendable {
    private let state: Mutex<ResponseBodyState>
    private let source: (any ResponseBodySource)?

    /// The number of bytes that the head announced, or `nil` when it announced none. A body that ends earlier fails.
    public let expectedLength: Int64?

    /// A body that an engine or a layer brings.
    ///
    /// - Parameters:
    ///   - source: Where the bytes come from.
    ///   - expectedLength: The number of bytes that the head announced; a negative one counts as `nil`. A response
    ///     without content (RFC 9110 §6.4.1: to `HEAD`, or with `304`) has none to expect, whatever its head says.
    public init(_ source: any ResponseBodySource, expectedLength: Int64? = nil) {
        self.source = source
        self.expectedLength = expectedLength.flatMap { $0 < 0 ? nil : $0 }
        state = Mutex(.idle)
    }

    /// A body that is there already.
    ///
    /// - Parameters:
    ///   - data: All bytes.
    ///   - trailers: The trailer fields, if there were any.
    public init(_ data: Data = Data(), trailers: HTTPFields? = nil) {
        source = nil
        expectedLength = Int64(data.count)
        state = Mutex(data.isEmpty ? .ended(trailers: trailers) : .whole(data, trailers: trailers))
    }

    deinit {
        cancel()
    }

    /// The next bytes, at least one, or `nil` at the end. After the end it is `nil` again, after an error the same error
    /// again: a body that broke off never looks as if it had ended.
    ///
    /// - Throws: A ``TransportError`` when the body does not end as it should: the connection is lost, a limit runs out,
    ///   the framing is broken, the task or the body is cancelled, or another reader waits for bytes already.
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

    /// What ``next()`` would return without waiting, and `nil` when there is something to wait for: asynchronous functions cost
    /// more than what they return where a small body came with its head.
    package func nextAtOnce() -> Data?? { state.withLock { $0.takeKnown() }.map(\.data) }

    /// The whole body.
    ///
    /// - Parameter limit: The most bytes to take. A longer body fails with ``TransportError/Code/bodyTooLarge``, and its
    ///   exchange ends.
    /// - Throws: What ``next()`` throws.
    public func collect(upTo limit: Int) async throws(TransportError) -> Data {
        if let expectedLength, expectedLength > Int64(limit) { throw tooLarge(limit) }
        // What is there already takes no asynchronous function.
        if let whole = state.withLock({ $0.takeWhole() }) { return whole }
        guard var collected = try await next() else { return Data() }
        guard collected.count <= limit else { throw tooLarge(limit) }
        var isReserved = false
        while let chunk = try await next() {
            guard chunk.count <= limit - collected.count else { throw tooLarge(limit) }
            if !isReserved, let expectedLength {
                // A peer that announces much and sends little must not make us set aside much.
                collected.reserveCapacity(Int(Swift.min(expectedLength, 8 << 20)))
                isReserved = true
            }
            collected.append(chunk)
        }
        return collected
    }

    /// The trailer fields (RFC 9110 §6.5): known once ``next()`` has returned `nil`, and `nil` when there were none.
    public var trailers: HTTPFields? {
        state.withLock { state in
            if case .ended(let trailers) = state { trailers } else { nil }
        }
    }

    /// Ends the exchange. The rest of the body is lost; a reader that waits, or comes later, gets an error. A body that
    /// has ended stays as it is.
    public func cancel() {
        giveUp(.cancelled(in: .responseBody, processing: .unknown))
    }

    /// - Parameter error: Made only when the body has not ended: most have, when they are dropped.
    private func giveUp(_ error: @autoclosure () -> TransportError) {
        let mustCancel = state.withLock { $0.giveUp(error()) }
        if mustCancel { source?.cancel() }
    }

    private func tooLarge(_ limit: Int) -> TransportError {
        let error = TransportError(
            .bodyTooLarge,
            phase: .responseBody,
            processing: .unknown,
            message: "the response's body is longer than the \(limit) bytes that were allowed"
        )
        giveUp(error)
        return error
    }
}

extension ResponseBody: AsyncSequence {
    /// Reads a body with `for try await`.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let body: ResponseBody

        /// The next bytes, or `nil` at the end.
        public mutating func next() async throws(TransportError) -> Data? {
            try await body.next()
        }

        /// The next bytes, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> Data? {
            try await body.next()
        }
    }

    /// An iterator over what has not been read yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: self)
    }
}
