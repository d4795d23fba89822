internal import AirframeTransport
public import FoundationEssentials
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Responses on disk, bounded by bytes, shared between processes.
///
/// A process that is killed leaves every response complete or absent: files are written under temporary names and
/// renamed, and everything that is read is verified by a checksum. Damaged files are removed and count as misses.
/// Making the store reads nothing, and folders are created when the first response is stored.
public final class DiskCacheStore: ImmediateCacheStore {
    /// The maximum length of contents that are stored in the file of their head, in bytes.
    static let inlineLimit = 16 << 10

    /// The folder.
    public let directory: String
    let folder: CacheFolder
    // Guards the capacity.
    private let limit: Mutex<Int64>
    /// Whether responses are being evicted.
    private let isSweeping = Atomic(false)
    /// The maximum number of sweeps in a row while responses are stored faster than they are evicted.
    private static let sweepRounds = 8

    /// Creates a store in a folder, which is created when needed.
    ///
    /// - Parameters:
    ///   - directory: The folder's path. Several processes may use it at the same time.
    ///   - capacity: The maximum number of bytes to hold, heads included.
    public init(directory: String, capacity: Int64 = 256 << 20) {
        self.directory = directory
        folder = CacheFolder(path: directory)
        limit = Mutex(max(0, capacity))
    }

    /// The maximum number of bytes to hold. Beyond it the least recently used responses are evicted in the background.
    public var capacity: Int64 {
        get { limit.withLock { $0 } }
        set {
            limit.withLock { $0 = max(0, newValue) }
            sweepIfNeeded(usage)
        }
    }

    /// The number of bytes held, heads included.
    public var usage: Int64 { folder.usage() }

    /// The largest content that is stored: a quarter of the capacity.
    public var maximumContentLength: Int64 { capacity / 4 }

    /// Returns all responses stored under `key`.
    ///
    /// - Throws: ``CacheStoreError`` if the file cannot be read.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] {
        try load(key)?.entries ?? []
    }

    /// Returns the content of a stored response, or `nil` if it is gone or damaged.
    ///
    /// - Throws: ``CacheStoreError`` if a file cannot be read.
    public func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent? { try read(entry) }

    /// Begins to store a response; `nil` for content longer than ``maximumContentLength``. Throws no error.
    public func writer(
        for entry: CacheEntry,
        expectedLength: Int64?
    ) async throws(CacheStoreError) -> (any CacheWriter)? {
        let limit = maximumContentLength
        guard expectedLength ?? 0 <= limit, !entry.isMemoryOnly else { return nil }
        return DiskCacheWriter(self, identifier: entry.identifier, limit: limit)
    }

    /// Replaces the head of a stored response.
    ///
    /// - Throws: ``CacheStoreError`` if a file cannot be locked or written.
    public func update(_ entry: CacheEntry) async throws(CacheStoreError) { _ = try replaceHead(entry) }

    /// Removes one response.
    ///
    /// - Throws: ``CacheStoreError`` if a file cannot be locked or written.
    public func remove(_ entry: CacheEntry) async throws(CacheStoreError) {
        try changeStored(entry.key) { entries in entries.removeAll { $0.identifier == entry.identifier } }
    }

    /// Removes all responses under `key`.
    ///
    /// - Throws: ``CacheStoreError`` if a file cannot be locked or written.
    public func removeAll(for key: CacheKey) async throws(CacheStoreError) { try removeGroup(key) }

    /// Removes the responses that were received at `date` or later; all of them for `nil`.
    ///
    /// - Throws: ``CacheStoreError`` if a file cannot be locked or written.
    public func removeAll(since date: Date?) async throws(CacheStoreError) { try removeResponses(since: date) }
}

// MARK: Synchronous access

extension DiskCacheStore {
    func entriesAtOnce(for key: CacheKey) throws(CacheStoreError) -> [CacheEntry] { try load(key)?.entries ?? [] }

    /// Returns the responses stored under `key`, and the state of their file.
    func load(_ key: CacheKey) throws(CacheStoreError) -> (entries: [CacheEntry], stamp: FileStamp)? {
        let path = folder.entryPath(key)
        guard let file = try CacheFile(path: path) else { return nil }
        let status = try file.status()
        guard let (storedKey, entries) = EntryCoder.decode(try file.read(Int(status.st_size), at: 0)) else {
            // The file is damaged. Removing it makes room for the next response.
            unlink(path)
            return nil
        }
        guard storedKey == key else { return nil }
        noteUse(path, status)
        return (entries, FileStamp(status))
    }

    /// The state of the file that `key`'s responses are in, or `nil` if there is none.
    func stamp(of key: CacheKey) -> FileStamp? {
        var status = stat()
        guard stat(folder.entryPath(key), &status) == 0 else { return nil }
        return FileStamp(status)
    }

    /// Returns the verified content of an entry.
    func read(_ entry: CacheEntry) throws(CacheStoreError) -> CacheContent? {
        switch entry.location {
        case .inline(let data): return .data(data)
        case .file(let checksum): return try readFile(entry, checksum)
        case .unknown:
            // This process has stored the entry; its location is on disk.
            guard let stored = try load(entry.key)?.entries.first(where: { $0.identifier == entry.identifier }) else {
                return nil
            }
            if case .unknown = stored.location { return nil }
            return try read(stored)
        }
    }

    private func readFile(_ entry: CacheEntry, _ expected: UInt64) throws(CacheStoreError) -> CacheContent? {
        guard let file = try CacheFile(path: folder.bodyPath(entry.identifier)) else { return nil }
        let length = entry.contentLength
        guard try file.status().st_size == length else { return nil }
        var checksum = Checksum()
        if length <= 1 << 20 {
            let data = try file.read(Int(length), at: 0)
            checksum.update(data)
            return checksum.value == expected && data.count == Int(length) ? .data(data) : nil
        }
        // The file is read once to verify it and again for the reader: a wrong byte must not reach the reader, and the
        // content may be too large for memory.
        var position: Int64 = 0
        while position < length {
            let data = try file.read(Int(min(1 << 20, length - position)), at: position)
            guard !data.isEmpty else { return nil }
            checksum.update(data)
            position += Int64(data.count)
        }
        return checksum.value == expected ? .file(file, offset: 0, length: length) : nil
    }

    /// Adds a response. It replaces one with the same variant.
    @discardableResult
    func insert(_ entry: CacheEntry) throws(CacheStoreError) -> FileChange {
        try change(entry.key) { entries in
            entries.removeAll { $0.isReplaced(by: entry) }
            entries.append(entry)
            if entries.count > MemoryCacheStore.variantLimit { entries.removeFirst() }
        }
    }

    func replaceHead(_ entry: CacheEntry) throws(CacheStoreError) -> FileChange? {
        try changeStored(entry.key) { entries in
            guard let index = entries.firstIndex(where: { $0.identifier == entry.identifier }) else { return }
            var updated = entry
            updated.location = entries[index].location
            entries[index] = updated
        }
    }

    func removeGroup(_ key: CacheKey) throws(CacheStoreError) {
        try changeStored(key) { entries in entries.removeAll() }
    }

    /// Changes the responses stored under a key; does nothing if there are none.
    ///
    /// Without their file there is nothing to change, and taking the lock would create folders: those of a store that
    /// stores nothing, such as the disk of a `URLCache` without a directory.
    @discardableResult
    private func changeStored(
        _ key: CacheKey,
        _ body: (inout [CacheEntry]) -> Void
    ) throws(CacheStoreError) -> FileChange? {
        guard stamp(of: key) != nil else { return nil }
        return try change(key, body)
    }

    /// Replaces the responses stored under a key while holding the lock.
    @discardableResult
    private func change(
        _ key: CacheKey,
        _ body: (inout [CacheEntry]) -> Void
    ) throws(CacheStoreError) -> FileChange {
        let path = folder.entryPath(key)
        let (removed, delta, change) = try folder.locked(key) { () throws(CacheStoreError) in
            let loaded = try load(key)
            let old = loaded?.entries ?? []
            var new = old
            body(&new)
            let kept = Set(new.map(\.identifier))
            let removed = old.filter { !kept.contains($0.identifier) }
            let added = Set(old.map(\.identifier))
            var delta = new.reduce(Int64(0)) { $0.addingClamped(added.contains($1.identifier) ? 0 : $1.fileLength) }
            delta = removed.reduce(delta) { $0.addingClamped(-$1.fileLength) }
            delta = delta.addingClamped(-(loaded?.stamp.size ?? 0))
            guard !new.isEmpty else {
                unlink(path)
                return (removed, delta, FileChange(before: loaded?.stamp, after: nil))
            }
            let file = EntryCoder.encode(new, key: key)
            try folder.replace(path, with: file)
            let change = FileChange(before: loaded?.stamp, after: stamp(of: key))
            return (removed, delta.addingClamped(Int64(file.count)), change)
        }
        // Only now: until the file was replaced, readers may have found the removed entries in it.
        for entry in removed where entry.fileLength > 0 { unlink(folder.bodyPath(entry.identifier)) }
        sweepIfNeeded(folder.addUsage(delta))
        return change
    }

    func removeResponses(since date: Date?) throws(CacheStoreError) {
        for path in folder.files(in: "entries") {
            guard let group = readGroup(path) else {
                unlink(path)
                continue
            }
            guard let instant = date?.timeIntervalSince1970 else {
                try removeGroup(group.key)
                continue
            }
            if group.entries.contains(where: { $0.times.response >= instant }) {
                try change(group.key) { entries in entries.removeAll { $0.times.response >= instant } }
            }
        }
    }

    /// Reads one file of entries; `nil` if it is damaged.
    func readGroup(_ path: String) -> (key: CacheKey, entries: [CacheEntry])? {
        guard let file = try? CacheFile(path: path), let status = try? file.status(),
            let bytes = try? file.read(Int(status.st_size), at: 0), let group = EntryCoder.decode(bytes),
            folder.entryPath(group.key) == path
        else { return nil }
        return group
    }

    private func sweepIfNeeded(_ usage: Int64) {
        guard usage > capacity, !isSweeping.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task.detached(priority: .utility) { [self] in
            // Responses that are stored meanwhile start no sweep. A folder that cannot be changed ends the rounds.
            var isBounded = false
            for _ in 0..<Self.sweepRounds where !isBounded {
                sweep()
                isBounded = folder.usage() <= capacity
            }
            isSweeping.store(false, ordering: .releasing)
            if isBounded { sweepIfNeeded(folder.usage()) }
        }
    }

    /// Records a use in the file's access time, at most once a minute. The modification time is kept, because it
    /// distinguishes the states of a file.
    private func noteUse(_ path: String, _ status: stat) {
        let now = time(nil)
        guard now - status.st_atim.tv_sec > 60 else { return }
        let times = [timespec(tv_sec: now, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: Int(UTIME_OMIT_VALUE))]
        utimensat(AT_FDCWD, path, times, 0)
    }
}

/// `UTIME_OMIT`, a macro that is not imported.
private let UTIME_OMIT_VALUE = (1 << 30) - 2

extension FileStamp {
    init(_ status: stat) {
        self.init(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int(status.st_mtim.tv_sec),
            nanoseconds: Int(status.st_mtim.tv_nsec))
    }
}

extension CacheEntry {
    /// The length of the file that the content is in, or 0 if it is in the file of the head.
    var fileLength: Int64 {
        if case .file = location { contentLength } else { 0 }
    }
}
