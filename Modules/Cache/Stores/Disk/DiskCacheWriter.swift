internal import FoundationEssentials
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Writes content to disk while it arrives: into the file of its head if it is small, otherwise into a separate file.
final class DiskCacheWriter: CacheWriter {
    private struct WrittenContent {
        var beginning = Data()
        var descriptor: Int32 = -1
        var length: Int64 = 0
        var checksum = Checksum()
        var isCommitted = false
    }

    private let store: DiskCacheStore
    private let path: String
    private let limit: Int64
    /// Called with the committed entry and the change of its file.
    private let committed: (@Sendable (CacheEntry, FileChange) -> Void)?
    // Guards the content so far. One task writes; the lock makes its writes visible to the task that releases the
    // writer.
    private let written = Mutex(WrittenContent())

    init(
        _ store: DiskCacheStore,
        identifier: UInt64,
        limit: Int64,
        committed: (@Sendable (CacheEntry, FileChange) -> Void)? = nil
    ) {
        self.store = store
        self.limit = limit
        self.committed = committed
        path = store.folder.bodyPath(identifier)
    }

    deinit {
        written.withLock { written in
            guard written.descriptor >= 0 else { return }
            close(written.descriptor)
            if !written.isCommitted { unlink(path) }
        }
    }

    func append(_ data: Data) async throws(CacheStoreError) -> Bool { try write(data) }

    func commit(_ entry: CacheEntry) async throws(CacheStoreError) { try finish(entry) }

    func write(_ data: Data) throws(CacheStoreError) -> Bool {
        try written.withLock { written throws(CacheStoreError) in
            written.length += Int64(data.count)
            guard written.length <= limit else { return false }
            if written.descriptor < 0, written.length <= Int64(DiskCacheStore.inlineLimit) {
                written.beginning.append(data)
                return true
            }
            if written.descriptor < 0 {
                written.descriptor = try CacheFolder.create(
                    path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)
                try Self.write(written.beginning, &written, path)
                written.beginning = Data()
            }
            try Self.write(data, &written, path)
            return true
        }
    }

    func finish(_ entry: CacheEntry) throws(CacheStoreError) {
        var entry = entry
        written.withLock { written in
            entry.contentLength = written.length
            entry.location =
                written.descriptor < 0 ? .inline(written.beginning) : .file(checksum: written.checksum.value)
        }
        let change = try store.insert(entry)
        written.withLock { $0.isCommitted = true }
        committed?(entry, change)
    }

    private static func write(_ data: Data, _ written: inout WrittenContent, _ path: String) throws(CacheStoreError) {
        written.checksum.update(data)
        try CacheFolder.write(data, to: written.descriptor, path)
    }
}
