import FlyingFox
import Foundation
import Synchronization

/// The body of a request: read once, piece by piece, and only as fast as the reader asks.
final class RequestBody: Sendable {
    enum Progress: Sendable {
        case untouched
        /// Begun but not ended: the connection cannot carry another request.
        case partial
        case complete
    }

    private let sequence: HTTPBodySequence
    private let state = Mutex(Progress.untouched)

    init(_ sequence: HTTPBodySequence) {
        self.sequence = sequence
    }

    var progress: Progress { state.withLock { $0 } }

    /// Hands each piece to `consume`, at most 4 KiB at a time, until the body ends.
    func read(_ consume: (Data) async throws -> Void) async throws {
        state.withLock { $0 = .partial }
        for try await piece in sequence { try await consume(piece) }
        state.withLock { $0 = .complete }
    }

    /// The whole body; a longer one than `limit` bytes is refused with 413.
    func collect(upTo limit: Int = 64 << 20) async throws -> Data {
        var data = Data()
        try await read { piece in
            guard data.count + piece.count <= limit else {
                throw Failure(413, "this endpoint takes bodies of at most \(limit) bytes; /upload takes any")
            }
            data.append(piece)
        }
        return data
    }
}
