internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Helpers for system calls on files, with errors that name the file.
enum SystemCall {
    /// Returns the error of the last system call.
    static func failure(_ path: String, _ what: String, _ code: Int32 = errno) -> TransferError {
        TransferError(
            code == ENOSPC || code == EDQUOT ? .noSpace : .file,
            "the file \(path) cannot be \(what): \(String(cString: strerror(code)))")
    }

    /// Repeats a call that a signal interrupted.
    static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Synchronizes a directory: a rename is durable once its directory is.
    static func synchronizeDirectory(of path: String) throws(TransferError) {
        let directory = (path as NSString).deletingLastPathComponent
        let name = directory.isEmpty ? "." : directory
        let descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(name, "opened") }
        defer { close(descriptor) }
        // Some network file systems do not support this call for directories.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(name, "synchronized") }
    }

    /// Returns the free bytes of a directory's file system for this user.
    static func availableBytes(at directory: String) throws(TransferError) -> Int64 {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { throw failure(directory, "examined") }
        let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
