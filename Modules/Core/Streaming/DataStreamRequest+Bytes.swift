public import Foundation

extension DataStreamRequest {
    /// The body as a sequence that is pulled: the server sends no faster than it is read.
    ///
    /// ```swift
    /// let bytes = session.streamRequest("https://api.test/log").validate().bytes()
    /// let length = try await bytes.response.expectedContentLength
    /// for try await chunk in bytes { print(chunk.count, "of", length) }
    /// ```
    ///
    /// The request starts at once if it starts by itself. Validations are run on the head, so that no body comes from a
    /// response that they refuse; once a chunk has been handed over, the request is not retried any more.
    ///
    /// - Parameter shouldAutomaticallyCancel: Whether the request is cancelled when the reader goes away: its task is
    ///   cancelled, or it drops the sequence before the end. The rest of the body is thrown away otherwise.
    public func bytes(automaticallyCancelling shouldAutomaticallyCancel: Bool = true) -> Bytes {
        let channel = ByteChannel()
        appendPuller { await channel.put($0) }
        observeHTTPResponses { channel.show($0) }
        append(ResponseStep { [self] in .over(.deliver { [self] in channel.end(error) }) }, .immediate)
        return Bytes(reader: Bytes.Reader(channel: channel, request: shouldAutomaticallyCancel ? self : nil))
    }

    /// A response's body in the making, with its head. It can be read once.
    public struct Bytes: AsyncSequence, Sendable {
        /// A chunk, as it came from the server.
        public typealias Element = Data
        /// Why the body broke off.
        public typealias Failure = AFError

        fileprivate let reader: Reader

        /// The head of the response, as soon as it is there: before any of the body is asked for.
        ///
        /// - Throws: Why the request failed, if it did.
        public var response: HTTPURLResponse {
            get async throws(AFError) { try await reader.response }
        }

        /// An iterator over what has not been read yet.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

        /// Reads the body chunk by chunk.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: Reader

            /// The next chunk, or `nil` at the end.
            ///
            /// - Throws: Why the request failed, if it did.
            public mutating func next() async throws(AFError) -> Data? { try await reader.next() }

            /// The next chunk, or `nil` at the end.
            ///
            /// - Throws: Why the request failed, if it did.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(AFError) -> Data? {
                try await reader.next()
            }
        }

        /// The reading end of the channel. A class, because that it goes away is what ends the request.
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
