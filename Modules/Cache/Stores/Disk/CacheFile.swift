internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A file that is open for reading. It is closed with the last reference.
public final class CacheFile: Sendable {
    private let descriptor: Int32
    /// The path, for error messages.
    public let path: String

    /// Opens a file, or returns `nil` if there is none.
    init?(path: String) throws(CacheStoreError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        self.path = path
        guard descriptor < 0 else { return }
        guard errno == ENOENT else { throw CacheStoreError.system("read", path) }
        return nil
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Size, times and inode.
    func status() throws(CacheStoreError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CacheStoreError.system("read", path) }
        return status
    }

    /// Reads up to `count` bytes at `offset`; fewer at the end.
    func read(_ count: Int, at offset: Int64) throws(CacheStoreError) -> Data {
        var bytes = Data(count: count)
        var position = 0
        while position < count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + position }, count - position, off_t(offset) + position)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw CacheStoreError.system("read", path) }
            guard read > 0 else { break }
            position += read
        }
        return position == count ? bytes : bytes.prefix(position)
    }
}

extension CacheStoreError {
    /// Returns the error of the last system call.
    static func system(_ action: String, _ place: String) -> CacheStoreError {
        CacheStoreError(action: action, place: place, reason: String(cString: strerror(errno)))
    }
}
