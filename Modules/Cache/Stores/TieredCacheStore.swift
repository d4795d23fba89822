internal import AirframeTransport
public import FoundationEssentials

/// Responses in memory, in front of the same responses on disk.
///
/// Memory holds copies of the responses on disk, and those responses that may not be written to disk. Each look-up
/// compares the file's state, with one system call, to find changes by other processes.
public final class TieredCacheStore: ImmediateCacheStore {
    /// The responses in memory.
    public let memory: MemoryCacheStore
    /// The responses on disk.
    public let disk: DiskCacheStore

    /// Puts `memory` in front of `disk`.
    public init(memory: MemoryCacheStore, disk: DiskCacheStore) {
        self.memory = memory
        self.disk = disk
    }

    /// Returns all responses stored under `key`.
    ///
    /// - Throws: The errors of ``disk``.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { try lookUp(key) }

    /// Returns the content of a stored response.
    ///
    /// - Throws: The errors of ``disk``.
    public func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent? { try read(entry) }

    /// Begins to store a response; `nil` if it is too long for the disk. Throws no error.
    public func writer(
        for entry: CacheEntry,
        expectedLength: Int64?
    ) async throws(CacheStoreError) -> (any CacheWriter)? {
        if entry.isMemoryOnly || disk.capacity == 0 {
            return try await memory.writer(for: entry, expectedLength: expectedLength)
        }
        let limit = disk.maximumContentLength
        guard expectedLength ?? 0 <= limit else { return nil }
        return DiskCacheWriter(disk, identifier: entry.identifier, limit: limit) { [memory] entry, change in
            memory.insert(entry, writtenBy: change)
        }
    }

    /// Replaces the head of a stored response; in memory also if that fails on disk.
    ///
    /// - Throws: The errors of ``disk``.
    public func update(_ entry: CacheEntry) async throws(CacheStoreError) {
        guard !entry.isMemoryOnly else { return memory.replace(entry) }
        do throws(CacheStoreError) {
            guard let change = try disk.replaceHead(entry) else { return memory.replace(entry) }
            memory.replace(entry, writtenBy: change)
        } catch {
            memory.replace(entry)
            throw error
        }
    }

    /// Removes one response.
    ///
    /// - Throws: The errors of ``disk``.
    public func remove(_ entry: CacheEntry) async throws(CacheStoreError) {
        try await memory.remove(entry)
        try await disk.remove(entry)
    }

    /// Removes all responses under `key`.
    ///
    /// - Throws: The errors of ``disk``.
    public func removeAll(for key: CacheKey) async throws(CacheStoreError) { try drop(key) }

    /// Removes the responses that were received at `date` or later; all of them for `nil`.
    ///
    /// - Throws: The errors of ``disk``.
    public func removeAll(since date: Date?) async throws(CacheStoreError) { try removeResponses(since: date) }
}

// MARK: Synchronous access

extension TieredCacheStore {
    func entriesAtOnce(for key: CacheKey) throws(CacheStoreError) -> [CacheEntry] { try lookUp(key) }

    func lookUp(_ key: CacheKey) throws(CacheStoreError) -> [CacheEntry] {
        guard disk.capacity > 0 else { return memory.group(key) ?? [] }
        let stamp = disk.stamp(of: key)
        if let entries = memory.group(key, stamp: stamp) { return entries }
        guard stamp != nil, let loaded = try disk.load(key) else {
            // Another process has removed the file. Responses that are in memory only remain.
            memory.keepMemoryOnly(key)
            return memory.group(key) ?? []
        }
        memory.adopt(loaded.entries, under: key, stamp: loaded.stamp)
        return memory.group(key) ?? loaded.entries
    }

    func read(_ entry: CacheEntry) throws(CacheStoreError) -> CacheContent? {
        if let data = memory.data(of: entry) { return .data(data) }
        guard !entry.isMemoryOnly, let content = try disk.read(entry) else { return nil }
        if case .data(let data) = content { memory.add(data, to: entry) }
        return content
    }

    func drop(_ key: CacheKey) throws(CacheStoreError) {
        memory.drop(key)
        try disk.removeGroup(key)
    }

    func removeResponses(since date: Date?) throws(CacheStoreError) {
        memory.removeResponses(since: date)
        try disk.removeResponses(since: date)
    }

    /// Stores a response with its content.
    func insert(_ entry: CacheEntry, _ content: Data) throws(CacheStoreError) {
        var entry = entry
        entry.contentLength = Int64(content.count)
        guard !entry.isMemoryOnly, disk.capacity > 0 else {
            if Int64(content.count) <= memory.maximumContentLength { memory.insert(entry, content) }
            return
        }
        guard Int64(content.count) <= disk.maximumContentLength else { return }
        let writer = DiskCacheWriter(disk, identifier: entry.identifier, limit: .max) { [memory] entry, change in
            memory.insert(entry, writtenBy: change)
        }
        _ = try writer.write(content)
        try writer.finish(entry)
    }
}
