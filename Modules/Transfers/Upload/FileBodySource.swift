internal import AirframeTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A part of a file as a request body. It respects a shared rate and fails if the file changes.
///
/// `@unchecked Sendable`: the descriptor and the position are confined to the one exchange that reads the body.
final class FileBodySource: RequestBodySource, @unchecked Sendable {
    private static let pieceLength: Int64 = 64 << 10

    private let path: String
    private let descriptor: Int32
    private let mark: FileMark
    private var position: Int64
    private let end: Int64
    private let limiter: RateLimiter
    private let mayBegin: @Sendable () async -> Void
    private let didRead: @Sendable (Int) -> Void
    private var hasBegun = false

    /// - Parameters:
    ///   - path: The file.
    ///   - mark: The expected identity of the file.
    ///   - range: The bytes to send.
    ///   - limiter: The rate.
    ///   - mayBegin: Awaited before the first byte.
    ///   - didRead: Called with the number of bytes of each piece.
    init(
        _ path: String,
        _ mark: FileMark,
        _ range: Range<Int64>,
        _ limiter: RateLimiter,
        mayBegin: @escaping @Sendable () async -> Void,
        didRead: @escaping @Sendable (Int) -> Void
    ) throws {
        self.path = path
        self.mark = mark
        self.limiter = limiter
        self.mayBegin = mayBegin
        self.didRead = didRead
        position = range.lowerBound
        end = range.upperBound
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemCall.failure(path, "opened") }
    }

    deinit { close(descriptor) }

    func next() async throws -> Data? {
        if !hasBegun {
            hasBegun = true
            await mayBegin()
        }
        guard position < end else { return nil }
        let count = Int(min(Self.pieceLength, end - position))
        try await limiter.acquire(count)
        let start = position
        let data = try await WorkerThreads.files.result { [self] in
            let data = try Data(pageAlignedUpTo: count) { bytes in
                let got = SystemCall.retrying { pread(descriptor, bytes.baseAddress, count, off_t(start)) }
                if got < 0 { throw SystemCall.failure(path, "read") }
                return got
            }
            // Checking after the read detects writes that happened before it.
            try mark.requireUnchanged(path)
            guard !data.isEmpty else { throw TransferError(.fileChanged, "the file \(path) ends at byte \(start)") }
            return data
        }
        position += Int64(data.count)
        didRead(data.count)
        return data
    }
}
