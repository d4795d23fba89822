/// A sequence of events of a request.
///
/// Each iteration creates its own stream, which starts with the iteration.
public struct StreamOf<Element>: AsyncSequence {
    /// The policy for elements that a slow reader has not taken yet.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let bufferingPolicy: BufferingPolicy
    private let onTermination: (@Sendable () -> Void)?
    private let builder: (AsyncStream<Element>.Continuation) -> Void

    /// - Parameters:
    ///   - bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    ///   - onTermination: A closure that is called when a reader stops before the end.
    ///   - builder: A closure that starts to feed a stream.
    package init(
        bufferingPolicy: BufferingPolicy,
        onTermination: (@Sendable () -> Void)? = nil,
        builder: @escaping (AsyncStream<Element>.Continuation) -> Void
    ) {
        self.bufferingPolicy = bufferingPolicy
        self.onTermination = onTermination
        self.builder = builder
    }

    /// Starts a stream.
    public func makeAsyncIterator() -> Iterator {
        let stream = AsyncStream<Element>(bufferingPolicy: bufferingPolicy) { continuation in
            if let onTermination {
                continuation.onTermination = { termination in
                    if case .cancelled = termination { onTermination() }
                }
            }
            builder(continuation)
        }
        return Iterator(iterator: stream.makeAsyncIterator())
    }

    /// An iterator over the stream.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<Element>.AsyncIterator

        fileprivate init(iterator: AsyncStream<Element>.AsyncIterator) { self.iterator = iterator }

        /// Returns the next event, or `nil` at the end.
        public mutating func next() async -> Element? { await iterator.next(isolation: #isolation) }

        /// Returns the next event, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await iterator.next(isolation: actor)
        }
    }
}
