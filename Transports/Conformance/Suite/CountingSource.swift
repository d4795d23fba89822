internal import AirframeTransport
internal import FoundationEssentials
internal import Synchronization

/// The source of a request's body that counts its uses.
final class CountingSource: RequestBodySource {
    enum End: Sendable {
        /// The body ends.
        case end
        /// The source throws.
        case failure
        /// Nothing comes any more, until the task is cancelled.
        case stall
        /// Nothing comes for a minute of this clock.
        case sleep(any TransportClock)
    }

    private struct SourceState {
        var chunks: [Data]
        var pulledCount = 0
        var pulledBytes = 0
        var readers = 0
        var hadTwoReaders = false
        var isCancelled = false
        var wasPulledAfterEnd = false
        var isAtEnd = false
    }

    // Guards the remaining chunks and the notes.
    private let state: Mutex<SourceState>
    private let end: End
    private let gate: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - chunks: What it brings.
    ///   - end: What follows.
    ///   - gate: Waited for before the chunk of that number is brought.
    init(_ chunks: [String], then end: End = .end, gate: @escaping @Sendable (Int) async -> Void = { _ in }) {
        state = Mutex(SourceState(chunks: chunks.map { Data($0.utf8) }))
        self.end = end
        self.gate = gate
    }

    /// A source of so many bytes in pieces.
    init(size: Int, pieces: Int) {
        let piece = Data(repeating: 120, count: size / pieces)
        state = Mutex(SourceState(chunks: Array(repeating: piece, count: pieces)))
        end = .end
        gate = { _ in }
    }

    /// How many times it was called.
    var pulledCount: Int { state.withLock { $0.pulledCount } }
    /// How many bytes it has handed out.
    var pulledBytes: Int { state.withLock { $0.pulledBytes } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Whether it was called in a way that sources need not expect.
    var wasMisused: Bool { state.withLock { $0.hadTwoReaders || $0.wasPulledAfterEnd } }

    func next() async throws -> Data? {
        let number = state.withLock { state in
            state.readers += 1
            if state.readers > 1 { state.hadTwoReaders = true }
            if state.isAtEnd { state.wasPulledAfterEnd = true }
            state.pulledCount += 1
            return state.pulledCount - 1
        }
        defer { state.withLock { $0.readers -= 1 } }
        await gate(number)
        let chunk = state.withLock { state -> Data? in
            guard !state.chunks.isEmpty else { return nil }
            state.pulledBytes += state.chunks[0].count
            return state.chunks.removeFirst()
        }
        if let chunk { return chunk }
        switch end {
        case .end:
            state.withLock { $0.isAtEnd = true }
            return nil
        case .failure: throw SourceBroke()
        case .stall:
            try await Task.sleep(for: .seconds(60))
            return nil
        case .sleep(let clock):
            try await clock.sleep(for: .seconds(60))
            return nil
        }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}

/// What a source throws.
struct SourceBroke: Error, Equatable {}
