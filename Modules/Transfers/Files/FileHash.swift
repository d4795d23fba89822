internal import AirframeAuthentication
internal import AirframeTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Hashes of files or their regions, computed on threads that may block on the disk.
enum FileHash {
    /// Returns the hash of a region.
    ///
    /// - Throws: ``TransferError/Kind/file`` for a file that cannot be read or is too short.
    static func bytes(
        of path: String,
        from offset: Int64 = 0,
        count: Int64,
        _ algorithm: TransferChecksum.Algorithm
    ) async throws -> Data {
        try await WorkerThreads.files.result {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemCall.failure(path, "opened") }
            defer { close(descriptor) }
            var hash = try RunningHash(algorithm.function)
            var done: Int64 = 0
            while done < count {
                let wanted = Int(min(256 << 10, count - done))
                let piece = try Data(pageAlignedUpTo: wanted) { bytes in
                    let got = SystemCall.retrying { pread(descriptor, bytes.baseAddress, wanted, off_t(offset + done)) }
                    if got < 0 { throw SystemCall.failure(path, "read") }
                    return got
                }
                guard !piece.isEmpty else {
                    throw TransferError(.file, "the file \(path) ends at byte \(offset + done)")
                }
                hash.update(piece)
                done += Int64(piece.count)
            }
            return Data(hash.bytes())
        }
    }
}
