internal import FoundationEssentials

/// The source of a reply's bytes.
enum ReplyBody: Sendable {
    case none
    case data(Data)
    case chunks([Data])
    case file(path: String)
    case stream(@Sendable () -> any ChunkSource)
    /// The body could not be created, for this reason.
    case unusable(String, any Error)

    /// The number of bytes, if it is known before they are sent. A file's is known once it has been read.
    var length: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .chunks, .file, .stream, .unusable: nil
        }
    }
}

/// A sequence of chunks.
protocol ChunkSource: AnyObject, Sendable {
    /// Returns the next chunk, or `nil` at the end. One reader at a time calls it.
    func next() async throws -> Data?
}

/// The elements of an asynchronous sequence.
///
/// An actor, because it owns an iterator, which has state.
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
