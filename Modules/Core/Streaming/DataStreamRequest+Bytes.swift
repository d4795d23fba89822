public import Foundation

extension DataStreamRequest {
    /// Returns the body as a sequence that is pulled: the server sends no faster than the body is read.
    ///
    /// ```swift
    /// let bytes = session.streamRequest("https://api.test/log").validate().bytes()
    /// let length = try await bytes.response.expectedContentLength
    /// for try await chunk in bytes { print(chunk.count, "of", length) }
    /// ```
    ///
    /// The request starts immediately if it starts automatically. Validations run on the head, so that no body of an
    /// invalid response is delivered. Once a valid head has arrived, the request is not retried.
    ///
    /// If the request has started before, for example because another handler was added first, the sequence begins with
    /// the bytes that have arrived. If they are more than 64 KiB, the sequence fails with a ``MissedBeginningError``
    /// within ``AFError/responseSerializationFailed(reason:)``.
    ///
    /// - Parameter shouldAutomaticallyCancel: Whether the request is cancelled when the reader's task is cancelled or
    ///   the reader releases the sequence before the end. Otherwise the rest of the body is discarded.
    public func bytes(automaticallyCancelling shouldAutomaticallyCancel: Bool = true) -> Bytes {
        let channel = ByteChannel()
        observeHTTPResponses { channel.show($0) }
        do throws(MissedBeginningError) {
            // Unowned to avoid a cycle: the request owns the closure and is alive when it calls it.
            let head = try appendPuller { [unowned self] chunk in
                guard !hasFailed else { return }
                // The observer misses a head that was shown before it was added.
                if let response { channel.show(response) }
                await channel.put(chunk)
            }
            if let head { channel.show(head) }
        } catch {
            channel.end(.responseSerializationFailed(reason: .customSerializationFailed(error: error)))
            return Bytes(reader: Bytes.Reader(channel: channel, request: nil))
        }
        append(
            ResponseStep { [self] in
                let end = ResponseStep.StepResult.deliver { [self] in channel.end(error) }
                guard !hasFailed else { return .over(end) }
                if let response { channel.show(response) }
                guard hasMissed else { return .over(end) }
                return .rest { [self] in
                    await deliverMissed()
                    return end
                }
            },
            .immediate
        )
        return Bytes(reader: Bytes.Reader(channel: channel, request: shouldAutomaticallyCancel ? self : nil))
    }

    /// The body of a response and its head. It can be read once.
    public struct Bytes: AsyncSequence, Sendable {
        /// A chunk, as received from the server.
        public typealias Element = Data
        /// The error of an incomplete body.
        public typealias Failure = AFError

        fileprivate let reader: Reader

        /// The head of the response. Waits until it has arrived, which is before any of the body is pulled.
        ///
        /// - Throws: The error, if the request failed.
        public var response: HTTPURLResponse {
            get async throws(AFError) { try await reader.response }
        }

        /// Returns an iterator over the rest of the body.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        /// Reads the body chunk by chunk.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: Reader

            /// Returns the next chunk, or `nil` at the end.
            ///
            /// - Throws: The error, if the request failed.
            public mutating func next() async throws(AFError) -> Data? { try await reader.next() }

            /// Returns the next chunk, or `nil` at the end.
            ///
            /// - Throws: The error, if the request failed.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(AFError) -> Data? {
                try await reader.next()
            }
        }

        /// The reading end of the channel. A class, because its deinitialization cancels the request.
        fileprivate final class Reader: Sendable {
            private let channel: ByteChannel
            private let request: DataStreamRequest?

            init(channel: ByteChannel, request: DataStreamRequest?) {
                self.channel = channel
                self.request = request
            }

            deinit {
                if channel.abandon() { request?.cancel() }
            }

            var response: HTTPURLResponse {
                get async throws(AFError) {
                    try await cancelling { () async throws(AFError) in try await self.channel.response }
                }
            }

            func next() async throws(AFError) -> Data? {
                try await cancelling { () async throws(AFError) in try await self.channel.next() }
            }

            private func cancelling<Value: Sendable>(
                _ wait: () async throws(AFError) -> Value
            ) async throws(AFError) -> Value {
                let result = await withTaskCancellationHandler { () async -> Result<Value, AFError> in
                    do throws(AFError) { return .success(try await wait()) } catch { return .failure(error) }
                } onCancel: {
                    request?.cancel()
                }
                return try result.get()
            }
        }
    }
}
