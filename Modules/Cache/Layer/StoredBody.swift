internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// Stored content that is read from a file when its reader pulls.
final class StoredBody: ResponseBodySource {
    private static let chunk: Int64 = 64 << 10

    let trailers: HTTPFields?
    private let file: CacheFile
    private let end: Int64
    // Guards the position in the file; -1 after the body was cancelled.
    private let position: Mutex<Int64>

    init(_ file: CacheFile, _ range: Range<Int64>, trailers: HTTPFields?) {
        self.file = file
        self.trailers = trailers
        end = range.upperBound
        position = Mutex(range.lowerBound)
    }

    func next() async throws(TransportError) -> Data? {
        let (start, count) = position.withLock { position in
            let start = position
            guard start >= 0 else { return (start, Int64(0)) }
            let count = min(Self.chunk, end - start)
            position += count
            return (start, count)
        }
        guard start >= 0 else { throw .cancelled(in: .responseBody, processing: .unknown) }
        guard count > 0 else { return nil }
        do throws(CacheStoreError) {
            let data = try file.read(Int(count), at: start)
            guard data.count == Int(count) else {
                throw CacheStoreError(action: "read", place: file.path, reason: "the file has become shorter")
            }
            return data
        } catch {
            throw TransportError(
                .engineFailure, phase: .responseBody, processing: .unknown, message: error.description,
                underlying: error)
        }
    }

    func cancel() { position.withLock { $0 = -1 } }
}
