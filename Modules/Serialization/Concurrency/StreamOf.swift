/// A sequence of what happens to a request, to be read with `for await`.
///
/// Each iteration is a stream of its own, which begins when it is begun.
public struct StreamOf<Element>: AsyncSequence {
    /// What to keep for a reader that is slower than what happens.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let bufferingPolicy: BufferingPolicy
    private let onTermination: (@Sendable () -> Void)?
    private let builder: (AsyncStream<Element>.Continuation) -> Void

    /// - Parameters:
    ///   - bufferingPolicy: What to keep for a slow reader.
    ///   - onTermination: Called when a reader goes away before the end.
    ///   - builder: Begins to feed a stream.
    package init(
        bufferingPolicy: BufferingPolicy,
        onTermination: (@Sendable () -> Void)? = nil,
        builder: @escaping (AsyncStream<Element>.Continuation) -> Void
    ) {
        self.bufferingPolicy = bufferingPolicy
        self.onTermination = onTermination
        self.builder = builder
    }

    /// Begins a stream.
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

    /// Reads the stream.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<Element>.AsyncIterator

        fileprivate init(iterator: AsyncStream<Element>.AsyncIterator) { self.iterator = iterator }

        /// What happens next, or `nil` at the end.
        public mutating func next() async -> Element? { await iterator.next(isolation: #isolation) }

        /// What happens next, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await iterator.next(isolation: actor)
        }
    }
}
