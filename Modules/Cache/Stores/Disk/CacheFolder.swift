internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The files of a cache on disk.
///
/// ```text
/// entries/ab/…   heads and small contents of the resources whose digest begins with ab
/// bodies/ab/…    larger contents, named after their entry's identifier
/// locks/ab       held while a file in entries/ab is replaced
/// usage          the number of bytes stored
/// ```
///
/// File names are digests of URIs, so that the file system is the index: opening the cache reads nothing, however many
/// responses it holds. Files are written under temporary names and renamed, so that a reader sees either the old or the
/// new state.
struct CacheFolder: Sendable {
    let path: String

    func entryPath(_ key: CacheKey) -> String {
        let digest = Digest.text(key.uri)
        return "\(path)/entries/\(digest.prefix(2))/\(digest.dropFirst(2))"
    }

    func bodyPath(_ identifier: UInt64) -> String {
        let name = Digest.hexadecimal(identifier)
        return "\(path)/bodies/\(name.prefix(2))/\(name)"
    }

    var usagePath: String { "\(path)/usage" }

    // MARK: Changing files

    /// Runs `change` while holding the lock on the part of the cache that `key` is in.
    func locked<Value>(
        _ key: CacheKey,
        _ change: () throws(CacheStoreError) -> Value
    ) throws(CacheStoreError) -> Value {
        let lock = "\(path)/locks/\(Digest.text(key.uri).prefix(2))"
        return try Self.withLock(lock, change)
    }

    /// Runs `change` while holding the lock on a file. The file is created if it does not exist.
    static func withLock<Value>(
        _ path: String,
        _ change: () throws(CacheStoreError) -> Value
    ) throws(CacheStoreError) -> Value {
        let descriptor = try create(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
        // Closing releases the lock. The kernel also closes the file when the process is killed.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .system("lock", path) }
        }
        return try change()
    }

    /// Replaces a file as a whole.
    func replace(_ path: String, with bytes: [UInt8]) throws(CacheStoreError) {
        let new = "\(path).\(Digest.hexadecimal(.random(in: 0 ... .max))).new"
        let descriptor = try Self.create(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)
        do throws(CacheStoreError) {
            defer { close(descriptor) }
            try Self.write(Data(bytes), to: descriptor, new)
        } catch {
            unlink(new)
            throw error
        }
        guard rename(new, path) == 0 else {
            let error = CacheStoreError.system("write", path)
            unlink(new)
            throw error
        }
    }

    /// Opens a file for writing, and creates its folder if that does not exist.
    static func create(_ path: String, _ flags: Int32) throws(CacheStoreError) -> Int32 {
        for _ in 0..<2 {
            let descriptor = open(path, flags, 0o600)
            if descriptor >= 0 { return descriptor }
            guard errno == ENOENT else { break }
            makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        }
        throw .system("write", path)
    }

    static func write(_ data: Data, to descriptor: Int32, _ path: String) throws(CacheStoreError) {
        var position = 0
        while position < data.count {
            let written = data.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + position }, buffer.count - position)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system("write", path) }
            position += written
        }
    }

    /// Creates a folder and its parents, accessible by the owner only: responses may hold secrets.
    private static func makeFolder(_ path: String) {
        guard !path.isEmpty, mkdir(path, 0o700) != 0, errno == ENOENT else { return }
        makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        mkdir(path, 0o700)
    }

    // MARK: Listing

    /// The paths of all files in the folders beneath `folder`.
    func files(in folder: String) -> [String] {
        let base = "\(path)/\(folder)"
        return Self.names(in: base).flatMap { shard in
            Self.names(in: "\(base)/\(shard)").map { "\(base)/\(shard)/\($0)" }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
