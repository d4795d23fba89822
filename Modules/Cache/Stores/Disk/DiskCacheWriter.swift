internal import FoundationEssentials
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Writes content to disk while it arrives: into the file of its head if it is small, otherwise into a separate file.
final class DiskCacheWriter: CacheWriter {
    private struct State {
        var beginning = Data()
        var descriptor: Int32 = -1
        var length: Int64 = 0
        var checksum = Checksum()
        var isCommitted = false
    }

    private let store: DiskCacheStore
    private let path: String
    private let limit: Int64
    /// Called with the committed entry and its file's state.
    private let committed: (@Sendable (CacheEntry, FileStamp?) -> Void)?
    // Guards the content so far. One task writes; the lock makes its writes visible to the task that releases the
    // writer.
    private let state = Mutex(State())

    init(
        _ store: DiskCacheStore,
        identifier: UInt64,
        limit: Int64,
        committed: (@Sendable (CacheEntry, FileStamp?) -> Void)? = nil
    ) {
        self.store = store
        self.limit = limit
        self.committed = committed
        path = store.folder.bodyPath(identifier)
    }

    deinit {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            close(state.descriptor)
            if !state.isCommitted { unlink(path) }
        }
    }

    func append(_ data: Data) async throws(CacheStoreError) -> Bool { try write(data) }

    func commit(_ entry: CacheEntry) async throws(CacheStoreError) { try finish(entry) }

    func write(_ data: Data) throws(CacheStoreError) -> Bool {
        try state.withLock { state throws(CacheStoreError) in
            state.length += Int64(data.count)
            guard state.length <= limit else { return false }
            if state.descriptor < 0, state.length <= Int64(DiskCacheStore.inlineLimit) {
                state.beginning.append(data)
                return true
            }
            if state.descriptor < 0 {
                state.descriptor = try CacheFolder.create(
                    path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)
                try Self.write(state.beginning, &state, path)
                state.beginning = Data()
            }
            try Self.write(data, &state, path)
            return true
        }
    }

    func finish(_ entry: CacheEntry) throws(CacheStoreError) {
        var entry = entry
        state.withLock { state in
            entry.contentLength = state.length
            entry.location =
                state.descriptor < 0 ? .inline(state.beginning) : .file(checksum: state.checksum.value)
        }
        let stamp = try store.insert(entry)
        state.withLock { $0.isCommitted = true }
        committed?(entry, stamp)
    }

    private static func write(_ data: Data, _ state: inout State, _ path: String) throws(CacheStoreError) {
        state.checksum.update(data)
        try CacheFolder.write(data, to: state.descriptor, path)
    }
}
