internal import FoundationEssentials

/// Where the bytes of a reply come from.
enum ReplyBody: Sendable {
    case none
    case data(Data)
    case chunks([Data])
    case file(path: String)
    case stream(@Sendable () -> any ChunkSource)
    /// There was something wrong with it when it was made.
    case unusable(String, any Error)

    /// The number of bytes, where it is known before they are sent. A file's is known once it has been read.
    var length: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .chunks, .file, .stream, .unusable: nil
        }
    }
}

/// Chunks that come one after the other.
protocol ChunkSource: AnyObject, Sendable {
    /// The next chunk, or `nil` at the end. Called by one reader at a time.
    func next() async throws -> Data?
}

/// The elements of an asynchronous sequence.
///
/// An actor, because an iterator has state and belongs to nobody else.
actor SequenceChunks<Chunks: AsyncSequence & Sendable>: ChunkSource where Chunks.Element == Data {
    private var iterator: Chunks.AsyncIterator?

    init(_ sequence: Chunks) { iterator = sequence.makeAsyncIterator() }

    func next() async throws -> Data? {
        guard var current = iterator else { return nil }
        iterator = nil
        guard let chunk = try await current.next(isolation: self) else { return nil }
        iterator = current
        return chunk
    }
}
