package import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A small file that several processes change. Every change holds a lock and replaces the whole file.
///
/// The lock is `flock` on a second file, because a rename replaces the first. A change is written to a new file, which
/// is synchronized and renamed: a process that is killed leaves either the old state or the new one.
package struct LockedFile: Sendable {
    package let path: String

    /// The maximum size of a file in bytes. A larger file is refused.
    private static let sizeLimit = 64 << 20
    /// Names a file, which need not exist.
    package init(path: String) { self.path = path }

    /// Returns the file's content; `nil` if there is no file. Reading needs no lock, because a rename is atomic.
    package func read() throws(StateFileError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
            throw StateFileError(path: path, action: "read", reason: "it is not a regular file of at most 64 MiB")
        }
        var content = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < content.count {
            let read = content.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw failure("read") }
            guard read > 0 else { break }
            count += read
        }
        return Data(content.prefix(count))
    }

    /// Replaces the file's content by the result of `change`, under the lock.
    ///
    /// - Parameter change: Receives the content, or `nil` if there is no file. If it throws, the file is unchanged.
    package func update(_ change: (Data?) throws -> Data) throws {
        let lock = try acquireLock()
        // Closing the descriptor releases the lock.
        defer { close(lock) }
        try replace(with: change(read()))
    }

    private func acquireLock() throws(StateFileError) -> Int32 {
        let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("lock") }
        // Ten seconds: a write takes milliseconds, and a process that hangs must not block this one.
        for _ in 0..<1000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(10_000)
        }
        let error = failure("lock")
        close(descriptor)
        throw error
    }

    private func replace(with content: Data) throws(StateFileError) {
        // One name for all writers: the lock serializes them, and the next write overwrites the file of a killed one.
        let new = path + ".new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("write") }
        do throws(StateFileError) {
            defer { close(descriptor) }
            guard fchmod(descriptor, 0o600) == 0 else { throw failure("write") }
            try write(content, to: descriptor)
            guard fsync(descriptor) == 0 else { throw failure("write") }
        } catch {
            unlink(new)
            throw error
        }
        guard rename(new, path) == 0 else { throw failure("write") }
        synchronizeFolder()
    }

    private func write(_ content: Data, to descriptor: Int32) throws(StateFileError) {
        var rest = Array(content)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure("write") }
            rest = rest.dropFirst(written)
        }
    }

    /// Makes the rename durable. Errors are ignored, because not all file systems support this.
    private func synchronizeFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ action: String) -> StateFileError {
        StateFileError(path: path, action: action, reason: String(cString: strerror(errno)))
    }
}

/// A file of cookies or HSTS policies that cannot be read, locked or written.
public struct StateFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// The operation that failed: `read`, `lock` or `write`.
    public let action: String
    /// The reason of the failure.
    public let reason: String

    /// Creates a description of a failure.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - action: The operation that failed: `read`, `lock` or `write`.
    ///   - reason: The reason of the failure.
    public init(path: String, action: String, reason: String) {
        self.path = path
        self.action = action
        self.reason = reason
    }

    /// A sentence with the file, the operation and the reason.
    public var description: String { "cannot \(action) \(path): \(reason)" }
}
