internal import AirframeTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The temporary file of a download, which is written from the first byte or continued where an earlier download ended.
///
/// The file is open, and locked against other requests, until it is complete, kept or discarded.
final class PartialFile: @unchecked Sendable {
    // `@unchecked` because the file is confined to one run of one request, which opens and closes it.

    /// The status of a file when it was left, which proves that nobody has written to it since.
    struct Mark: Equatable, Sendable {
        let length: Int64
        let seconds: Int64
        let nanoseconds: Int64
    }

    let url: URL
    /// The number of bytes in the file.
    private(set) var length: Int64
    /// Whether a write failed, so that the file's content is unknown.
    private(set) var isBroken = false

    private var descriptor: Int32
    /// The status of the file when it was reopened.
    private let original: Mark?
    private let failingURL: URL?

    private init(_ descriptor: Int32, _ url: URL, original: Mark?, failingURL: URL?) {
        self.descriptor = descriptor
        self.url = url
        self.original = original
        self.failingURL = failingURL
        length = original?.length ?? 0
    }

    deinit { _ = closeNow() }

    /// Creates a file that only its owner can read, because the temporary directory is shared.
    static func create(for task: URLSessionTask) throws(AFError) -> PartialFile {
        let url = TemporaryFile.newURL()
        let failingURL = task.currentRequest?.url
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("created", url, failingURL, errno) }
        return PartialFile(descriptor, url, original: nil, failingURL: failingURL)
    }

    /// Opens the file of an earlier download at its end. Returns `nil` if the file is gone, changed, in use, or not a
    /// regular file of the process's user.
    static func reopen(_ url: URL, leftAs mark: Mark, for task: URLSessionTask?) -> PartialFile? {
        let descriptor = open(url.path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = PartialFile(descriptor, url, original: mark, failingURL: task?.currentRequest?.url)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, file.mark == mark else { return nil }
        return file
    }

    /// Whether the file at `url` is unchanged since an earlier download left it.
    static func exists(_ url: URL, leftAs mark: Mark) -> Bool {
        reopen(url, leftAs: mark, for: nil) != nil
    }

    /// Writes all of `data`.
    func write(_ data: Data) throws(AFError) {
        let code = data.withUnsafeBytes { buffer in Self.writeAll(buffer, to: descriptor) }
        guard code == 0 else {
            isBroken = true
            throw Self.failure("written", url, failingURL, code)
        }
        length += Int64(data.count)
    }

    /// Closes the complete file and reports an error that the file system delayed until now.
    func close() throws(AFError) {
        let code = closeNow()
        guard code == 0 else {
            isBroken = true
            throw Self.failure("written", url, failingURL, code)
        }
    }

    /// Closes the file for another download and returns its mark, or `nil` if it cannot be continued.
    func keep() -> Mark? {
        guard !isBroken, length > 0, let mark, mark.length == length else { return nil }
        return closeNow() == 0 ? mark : nil
    }

    /// Gives the file up: restores it if it was reopened, removes it otherwise.
    func discard() {
        if let original, descriptor >= 0, ftruncate(descriptor, off_t(original.length)) == 0 {
            let time = timespec(tv_sec: Int(original.seconds), tv_nsec: Int(original.nanoseconds))
            // With its former time, the file still matches the earlier resume data.
            futimens(descriptor, [time, time])
            _ = closeNow()
        } else {
            _ = closeNow()
            TemporaryFile.remove(url)
        }
    }

    /// The status of the open file; `nil` unless it is a regular file of the process's user with one name.
    private var mark: Mark? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_nlink == 1
        else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Mark(
            length: Int64(status.st_size),
            seconds: Int64(time.tv_sec),
            nanoseconds: Int64(time.tv_nsec)
        )
    }

    /// Returns 0, or the `errno` of the failure.
    private func closeNow() -> Int32 {
        guard descriptor >= 0 else { return 0 }
        defer { descriptor = -1 }
        // Linux closes the descriptor even if close fails with EINTR.
        return closeDescriptor(descriptor) == 0 || errno == EINTR ? 0 : errno
    }

    /// Returns 0, or the `errno` of the write that failed.
    private static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = buffer[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = writeBytes(descriptor, piece.baseAddress, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    private static func failure(_ verb: String, _ url: URL, _ failingURL: URL?, _ code: Int32) -> AFError {
        let words = String(cString: strerror(code))
        let message = "the file \(url.path) cannot be \(verb): \(words)"
        var details: [String: Any] = [NSLocalizedDescriptionKey: message, NSFilePathErrorKey: url.path]
        details[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
        if let url = failingURL?.withoutSecrets { details.setFailingURL(url) }
        return .sessionTaskFailed(
            error: URLError(verb == "created" ? .cannotCreateFile : .cannotWriteToFile, userInfo: details))
    }
}

// The C library's functions under names that the methods do not shadow.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
