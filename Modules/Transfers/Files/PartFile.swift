internal import AirframeCore
internal import AirframeTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The temporary file of a download, in the directory of its destination.
///
/// `@unchecked Sendable`: the descriptor is immutable while the object lives, and each write has its own offset.
final class PartFile: @unchecked Sendable {
    let path: String
    let inode: UInt64
    private let descriptor: Int32

    /// Opens the file, or creates it readable by its owner only.
    ///
    /// - Throws: ``TransferError/Kind/file``, ``TransferError/Kind/noSpace``.
    init(path: String) throws(TransferError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemCall.failure(path, "opened") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TransferError(.file, "\(path) is not a regular file")
        }
        inode = UInt64(status.st_ino)
    }

    deinit { close(descriptor) }

    /// Returns the path of the temporary file of a transfer. It is the same in every process, so that no file is left
    /// behind.
    static func path(for destination: String, _ id: TransferID, in queue: String) -> String {
        let directory = (destination as NSString).deletingLastPathComponent
        // File names have a maximum of 255 bytes.
        let name = String(decoding: (destination as NSString).lastPathComponent.utf8.prefix(160), as: UTF8.self)
        return (directory as NSString).appendingPathComponent(".\(name).\(queue.prefix(8))-\(id).part")
    }

    /// The number of bytes in the file.
    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Reserves space, so that the disk cannot fill up later and segments do not fragment the file.
    ///
    /// - Throws: ``TransferError/Kind/noSpace``.
    func reserve(_ count: Int64) throws(TransferError) {
        guard count > size else { return }
        let directory = (path as NSString).deletingLastPathComponent
        let available = try SystemCall.availableBytes(at: directory.isEmpty ? "." : directory)
        var status = stat()
        _ = fstat(descriptor, &status)
        let missing = count - Int64(status.st_blocks) * 512
        guard missing <= available else {
            throw TransferError(
                .noSpace, "\(directory) has \(available) bytes left; the download needs \(missing) more")
        }
        // `posix_fallocate` returns its error and does not set `errno`.
        let code = posix_fallocate(descriptor, 0, off_t(count))
        if code == 0 { return }
        guard code == EOPNOTSUPP || code == ENOSYS || code == EINVAL || code == EINTR else {
            throw SystemCall.failure(path, "extended to \(count) bytes", code)
        }
        guard ftruncate(descriptor, off_t(count)) == 0 else {
            throw SystemCall.failure(path, "extended to \(count) bytes")
        }
    }

    /// Truncates the file to a length.
    ///
    /// - Throws: ``TransferError/Kind/file``.
    func truncate(to count: Int64) throws(TransferError) {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw SystemCall.failure(path, "cut") }
    }

    /// Writes all of `data` at an offset.
    ///
    /// - Throws: ``TransferError/Kind/file``, ``TransferError/Kind/noSpace``.
    func write(_ data: Data, at offset: Int64) throws(TransferError) {
        var done = 0
        while done < data.count {
            let count = data.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                return SystemCall.retrying {
                    pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + Int64(done)))
                }
            }
            guard count > 0 else { throw SystemCall.failure(path, "written", count < 0 ? errno : EIO) }
            done += count
        }
    }

    /// Waits until the content is on the disk. Blocks: call it on a thread for files.
    ///
    /// - Throws: ``TransferError/Kind/file``.
    func synchronize() throws(TransferError) {
        guard SystemCall.retrying({ fdatasync(descriptor) }) == 0 else {
            throw SystemCall.failure(path, "synchronized")
        }
    }

    /// Renames the complete, synchronized file, so that the destination never has part of a file.
    ///
    /// - Throws: ``TransferError/Kind/destinationExists``, ``TransferError/Kind/file``.
    func place(at destination: String, replacing: Bool) throws(TransferError) {
        guard SystemCall.retrying({ fsync(descriptor) }) == 0 else { throw SystemCall.failure(path, "synchronized") }
        TemporaryFile.applyCreationMask(to: URL(fileURLWithPath: path))
        if replacing {
            guard rename(path, destination) == 0 else { throw SystemCall.failure(destination, "created") }
        } else {
            let code = linkOrRename(to: destination)
            guard code != EEXIST else {
                throw TransferError(.destinationExists, "the file \(destination) already exists")
            }
            guard code == 0 else { throw SystemCall.failure(destination, "created", code) }
            unlink(path)
        }
        try SystemCall.synchronizeDirectory(of: destination)
    }

    /// Names the file `destination` unless that exists. `link` fails then; `rename` would replace it.
    ///
    /// - Returns: 0, or the `errno` of the failure.
    private func linkOrRename(to destination: String) -> Int32 {
        guard link(path, destination) != 0 else { return 0 }
        let code = errno
        switch code {
        // A process that was killed after the link has left both names.
        case EEXIST: return Self.inode(of: destination) == inode ? 0 : code
        // File systems such as FAT have no hard links (link(2)).
        case EPERM, EOPNOTSUPP, ENOSYS: return Self.renameExclusively(path, to: destination)
        default: return code
        }
    }

    /// Renames a file unless the destination exists, on any file system: the destination is reserved by an empty file
    /// first.
    ///
    /// - Returns: 0, or the `errno` of the failure.
    static func renameExclusively(_ path: String, to destination: String) -> Int32 {
        let descriptor = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        guard rename(path, destination) != 0 else { return 0 }
        let code = errno
        unlink(destination)
        return code
    }

    /// Returns the inode number of a path without following symbolic links; `nil` if there is no file.
    static func inode(of path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Returns whether a path names the file with an inode number and a size in bytes, without following symbolic
    /// links.
    static func exists(at path: String, inode: UInt64, size: Int64) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && UInt64(status.st_ino) == inode && Int64(status.st_size) == size
    }

    /// Removes a file, ignoring errors.
    static func remove(_ path: String) { unlink(path) }
}
