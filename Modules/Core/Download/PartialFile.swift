internal import AirframeTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The temporary file that a download is written to, from its first byte or after those that an earlier one left.
///
/// It is open, and locked against another request that wants to go on with it, until it is complete, kept or discarded.
final class PartialFile: @unchecked Sendable {
    // `@unchecked`: confined to one run of one request, which has it opened and closes it.

    /// What a file was like when it was left: proof that nobody has written to it since.
    struct Mark: Equatable, Sendable {
        let length: Int64
        let seconds: Int64
        let nanoseconds: Int64
    }

    let url: URL
    /// The bytes in the file.
    private(set) var length: Int64
    /// Whether a write failed: then nobody knows what is in the file.
    private(set) var isBroken = false

    private var descriptor: Int32
    /// What the file was like when it was reopened.
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

    /// Creates a file, readable for its owner only: the temporary directory is everybody's.
    static func create(for task: URLSessionTask) throws(AFError) -> PartialFile {
        let url = TemporaryFile.newURL()
        let failingURL = task.currentRequest?.url
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("created", url, failingURL, errno) }
        return PartialFile(descriptor, url, original: nil, failingURL: failingURL)
    }

    /// Opens a file that an earlier download left, at its end; `nil` when it is gone, changed or in use, or no plain
    /// file of ours.
    static func reopen(_ url: URL, leftAs mark: Mark, for task: URLSessionTask?) -> PartialFile? {
        let descriptor = open(url.path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = PartialFile(descriptor, url, original: mark, failingURL: task?.currentRequest?.url)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, file.mark == mark else { return nil }
        return file
    }

    /// Whether the file at `url` is as an earlier download left it.
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

    /// Closes the file, which is complete. An error that a file system reports only now is not lost.
    func close() throws(AFError) {
        let code = closeNow()
        guard code == 0 else {
            isBroken = true
            throw Self.failure("written", url, failingURL, code)
        }
    }

    /// Closes the file for another download to go on with, and says how to know it again; `nil` when that is no use.
    func keep() -> Mark? {
        guard !isBroken, length > 0, let mark, mark.length == length else { return nil }
        return closeNow() == 0 ? mark : nil
    }

    /// Gives the file up: one that was reopened is left as it was found, another one is removed.
    func discard() {
        if let original, descriptor >= 0, ftruncate(descriptor, off_t(original.length)) == 0 {
            let time = timespec(tv_sec: Int(original.seconds), tv_nsec: Int(original.nanoseconds))
            // With its old time it is still the file that the resume data of old speaks of.
            futimens(descriptor, [time, time])
            _ = closeNow()
        } else {
            _ = closeNow()
            TemporaryFile.remove(url)
        }
    }

    /// What the open file is like; `nil` unless it is a plain file of ours with one name.
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
        // EINTR closes the descriptor on Linux all the same.
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
        details[NSURLErrorFailingURLErrorKey] = failingURL
        return .sessionTaskFailed(
            error: URLError(verb == "created" ? .cannotCreateFile : .cannotWriteToFile, userInfo: details))
    }
}

// The C library's functions, under names that do not hide behind the methods.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
