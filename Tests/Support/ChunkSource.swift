public import AirframeTransport
public import FoundationEssentials
internal import Synchronization

/// A source that hands out its chunks one by one, and counts.
public final class ChunkSource: RequestBodySource {
    private struct SourceState {
        var chunks: [Data]
        var requestedCount = 0
        var pulledCount = 0
        var isCancelled = false
    }

    // Guards the chunks that are left.
    private let state: Mutex<SourceState>
    private let delay: Duration?
    private let failure: (any Error)?

    /// - Parameters:
    ///   - chunks: The pieces of the content.
    ///   - delay: The time before each piece.
    ///   - failure: What the source ends with in place of the end of the content.
    public init(_ chunks: [String], delay: Duration? = nil, failure: (any Error)? = nil) {
        state = Mutex(SourceState(chunks: chunks.map { Data($0.utf8) }))
        self.delay = delay
        self.failure = failure
    }

    /// Whether the source was cancelled.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The number of calls of ``next()``.
    public var requestedCount: Int { state.withLock { $0.requestedCount } }

    /// The number of pieces that were handed out.
    public var pulledCount: Int { state.withLock { $0.pulledCount } }

    /// The next piece.
    public func next() async throws -> Data? {
        state.withLock { $0.requestedCount += 1 }
        if let delay { try await Task.sleep(for: delay) }
        let chunk = state.withLock { state -> Data? in
            guard !state.chunks.isEmpty else { return nil }
            state.pulledCount += 1
            return state.chunks.removeFirst()
        }
        if chunk == nil, let failure { throw failure }
        return chunk
    }

    /// Records the cancellation.
    public func cancel() { state.withLock { $0.isCancelled = true } }
}

/// The error of a source.
public struct SourceBroke: Error, Equatable {
    /// Creates the error.
    public init() {}
}
