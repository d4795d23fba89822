internal import AirframeTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The identity of a file's content: size, modification time and inode number.
struct FileMark: Codable, Sendable, Hashable {
    let size: Int64
    /// The time of the last change of content (`st_mtim`), in nanoseconds.
    let modified: Int64
    let inode: UInt64

    /// Reads the mark of a regular file.
    ///
    /// - Throws: ``TransferError/Kind/file``.
    init(path: String) throws(TransferError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemCall.failure(path, "read") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.file, "\(path) is not a regular file, and cannot be uploaded")
        }
        self.init(status)
    }

    private init(_ status: stat) {
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }

    /// Checks that the file at `path` still has this mark.
    ///
    /// - Throws: ``TransferError/Kind/fileChanged``, ``TransferError/Kind/file``.
    func requireUnchanged(_ path: String) throws(TransferError) {
        let now = try FileMark(path: path)
        guard now == self else {
            throw TransferError(
                .fileChanged,
                "the file \(path) changed while it was uploaded: it had \(size) bytes and has \(now.size)")
        }
    }
}
