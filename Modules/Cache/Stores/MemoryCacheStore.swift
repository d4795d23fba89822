public import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// Responses in memory, bounded by bytes.
///
/// All variants of a resource are evicted together. Resources that are used once do not displace resources that were
/// used again.
public final class MemoryCacheStore: ImmediateCacheStore {
    fileprivate struct Stored {
        var entry: CacheEntry
        /// `nil` for content that is only on disk.
        var content: Data?
    }

    fileprivate struct Group {
        var stored: [Stored]
        /// The state of the file that holds the responses on disk; `nil` if all responses are in memory only.
        var stamp: FileStamp?
    }

    private struct Contents {
        var groups: [CacheKey: Group] = [:]
        var order = SegmentedLRU<CacheKey>()
        var capacity: Int
    }

    /// The maximum number of variants of one resource.
    static let variantLimit = 32

    // Guards the responses, their order and the capacity.
    private let contents: Mutex<Contents>

    /// Creates an empty store.
    ///
    /// - Parameter capacity: The maximum number of bytes to hold, heads included.
    public init(capacity: Int = 16 << 20) {
        contents = Mutex(Contents(capacity: max(0, capacity)))
    }

    /// The maximum number of bytes to hold. Lowering it evicts responses immediately.
    public var capacity: Int {
        get { contents.withLock { $0.capacity } }
        set {
            contents.withLock { contents in
                contents.capacity = max(0, newValue)
                Self.evict(&contents)
            }
        }
    }

    /// The number of bytes held, heads included.
    public var usage: Int { contents.withLock { $0.order.cost } }

    /// The largest content that is stored: a quarter of the capacity.
    public var maximumContentLength: Int64 { Int64(capacity / 4) }

    /// Returns all responses stored under `key`. Throws no error.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { group(key) ?? [] }

    /// Returns the content of a stored response. Throws no error.
    public func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent? {
        data(of: entry).map(CacheContent.data)
    }

    /// Begins to store a response; `nil` for content longer than ``maximumContentLength``. Throws no error.
    public func writer(
        for entry: CacheEntry,
        expectedLength: Int64?
    ) async throws(CacheStoreError) -> (any CacheWriter)? {
        let limit = maximumContentLength
        guard expectedLength ?? 0 <= limit else { return nil }
        return MemoryCacheWriter(limit: limit) { [self] in insert($0, $1) }
    }

    /// Replaces the head of a stored response. Throws no error.
    public func update(_ entry: CacheEntry) async throws(CacheStoreError) { replace(entry) }

    /// Removes one response. Throws no error.
    public func remove(_ entry: CacheEntry) async throws(CacheStoreError) {
        contents.withLock { contents in
            guard var group = contents.groups[entry.key] else { return }
            group.stored.removeAll { $0.entry.identifier == entry.identifier }
            Self.put(group, under: entry.key, &contents)
        }
    }

    /// Removes all responses under `key`. Throws no error.
    public func removeAll(for key: CacheKey) async throws(CacheStoreError) { drop(key) }

    /// Removes the responses that were received at `date` or later; all of them for `nil`. Throws no error.
    public func removeAll(since date: Date?) async throws(CacheStoreError) { removeResponses(since: date) }
}

// MARK: Synchronous access, for `URLCache` and `TieredCacheStore`

extension MemoryCacheStore {
    func entriesAtOnce(for key: CacheKey) throws(CacheStoreError) -> [CacheEntry] { group(key) ?? [] }

    /// Returns the responses under `key`, or `nil` if there are none, or the file that they were read from has changed.
    func group(_ key: CacheKey, stamp: FileStamp?) -> [CacheEntry]? {
        contents.withLock { contents in
            guard let group = contents.groups[key], group.stamp == stamp else { return nil }
            contents.order.touch(key, protectedLimit: contents.capacity / 5 * 4)
            return group.stored.map(\.entry)
        }
    }

    /// Returns the responses under `key`, or `nil` if there are none.
    func group(_ key: CacheKey) -> [CacheEntry]? {
        contents.withLock { contents in
            guard let group = contents.groups[key] else { return nil }
            contents.order.touch(key, protectedLimit: contents.capacity / 5 * 4)
            return group.stored.map(\.entry)
        }
    }

    func data(of entry: CacheEntry) -> Data? {
        contents.withLock { contents in
            contents.groups[entry.key]?.stored.first { $0.entry.identifier == entry.identifier }?.content
        }
    }

    /// Stores a response. It replaces one with the same variant.
    func insert(_ entry: CacheEntry, _ content: Data?) {
        var entry = entry
        // The entry then carries its content, and a hit takes one look-up. An entry that is also on disk keeps its
        // location.
        if let content, case .unknown = entry.location { entry.content = content }
        contents.withLock { [entry] contents in
            var group = contents.groups[entry.key] ?? Group(stored: [])
            group.insert(Stored(entry: entry, content: content))
            Self.put(group, under: entry.key, &contents)
        }
    }

    /// Replaces the responses under `key` with those of a file. Contents that are in memory already are kept.
    func adopt(_ entries: [CacheEntry], under key: CacheKey, stamp: FileStamp) {
        contents.withLock { contents in
            let known = contents.groups[key]?.stored ?? []
            let stored = entries.map { entry in
                if case .inline(let data) = entry.location { return Stored(entry: entry, content: data) }
                return Stored(
                    entry: entry, content: known.first { $0.entry.identifier == entry.identifier }?.content)
            }
            let memoryOnly = known.filter { $0.entry.isMemoryOnly }
            Self.put(Group(stored: stored + memoryOnly, stamp: stamp), under: key, &contents)
        }
    }

    /// Adds a response that was just written to a file.
    func insert(_ entry: CacheEntry, writtenBy change: FileChange) {
        var content: Data?
        if case .inline(let data) = entry.location { content = data }
        let stored = Stored(entry: entry, content: content)
        follow(change, of: entry.key) { $0.insert(stored) }
    }

    /// Replaces the head of a response that was just written to a file.
    func replace(_ entry: CacheEntry, writtenBy change: FileChange) {
        follow(change, of: entry.key) { $0.replace(entry) }
    }

    /// Repeats a change of the file that holds `key`'s responses.
    ///
    /// If another process has changed the file before, the responses on disk are forgotten, and the next look-up reads
    /// the file.
    private func follow(_ change: FileChange, of key: CacheKey, _ body: (inout Group) -> Void) {
        contents.withLock { contents in
            var group = contents.groups[key] ?? Group(stored: [])
            if group.stamp == change.before {
                body(&group)
                group.stamp = change.after
            } else {
                group.keepMemoryOnly()
            }
            Self.put(group, under: key, &contents)
        }
    }

    /// Removes the responses under `key` that were on disk.
    func keepMemoryOnly(_ key: CacheKey) {
        contents.withLock { contents in
            guard var group = contents.groups[key] else { return }
            group.keepMemoryOnly()
            Self.put(group, under: key, &contents)
        }
    }

    /// Adds the content of an entry whose head is in memory already.
    func add(_ content: Data, to entry: CacheEntry) {
        contents.withLock { contents in
            guard content.count <= contents.capacity / 4, var group = contents.groups[entry.key],
                let index = group.stored.firstIndex(where: { $0.entry.identifier == entry.identifier })
            else { return }
            group.stored[index].content = content
            Self.put(group, under: entry.key, &contents)
        }
    }

    func replace(_ entry: CacheEntry) {
        contents.withLock { contents in
            guard var group = contents.groups[entry.key] else { return }
            group.replace(entry)
            Self.put(group, under: entry.key, &contents)
        }
    }

    func drop(_ key: CacheKey) {
        contents.withLock { contents in
            contents.groups[key] = nil
            contents.order.remove(key)
        }
    }

    func removeResponses(since date: Date?) {
        contents.withLock { contents in
            guard let instant = date?.timeIntervalSince1970 else {
                contents.groups = [:]
                contents.order = SegmentedLRU()
                return
            }
            for (key, var group) in contents.groups {
                group.stored.removeAll { $0.entry.times.response >= instant }
                Self.put(group, under: key, &contents)
            }
        }
    }

    /// All responses with their contents, in no order.
    var all: [CacheEntry] { contents.withLock { $0.groups.values.flatMap { $0.stored.map(\.entry) } } }

    private static func put(_ group: Group, under key: CacheKey, _ contents: inout Contents) {
        guard !group.stored.isEmpty else {
            contents.groups[key] = nil
            contents.order.remove(key)
            return
        }
        contents.groups[key] = group
        let cost = group.stored.reduce(key.uri.utf8.count) { $0 + $1.entry.headCost + ($1.content?.count ?? 0) }
        contents.order.insert(key, cost: cost)
        evict(&contents)
    }

    private static func evict(_ contents: inout Contents) {
        while contents.order.cost > contents.capacity, let victim = contents.order.evict() {
            contents.groups[victim] = nil
        }
    }
}

extension MemoryCacheStore.Group {
    fileprivate mutating func insert(_ new: MemoryCacheStore.Stored) {
        stored.removeAll { $0.entry.isReplaced(by: new.entry) }
        stored.append(new)
        if stored.count > MemoryCacheStore.variantLimit { stored.removeFirst() }
    }

    fileprivate mutating func replace(_ entry: CacheEntry) {
        guard let index = stored.firstIndex(where: { $0.entry.identifier == entry.identifier }) else { return }
        stored[index].entry = entry
    }

    fileprivate mutating func keepMemoryOnly() {
        stored.removeAll { !$0.entry.isMemoryOnly }
        stamp = nil
    }
}

/// Collects a content in memory.
private final class MemoryCacheWriter: CacheWriter {
    private let limit: Int64
    private let insert: @Sendable (CacheEntry, Data) -> Void
    // Guards the bytes so far.
    private let content = Mutex<[Data]>([])
    private let length = Atomic<Int>(0)

    init(limit: Int64, insert: @escaping @Sendable (CacheEntry, Data) -> Void) {
        self.limit = limit
        self.insert = insert
    }

    func append(_ data: Data) async throws(CacheStoreError) -> Bool {
        let total = length.add(data.count, ordering: .relaxed).newValue
        guard total <= limit else {
            content.withLock { $0 = [] }
            return false
        }
        content.withLock { $0.append(data) }
        return true
    }

    func commit(_ entry: CacheEntry) async throws(CacheStoreError) {
        let pieces = content.withLock { $0 }
        // Copies even a single piece: it may be a slice of a larger buffer, which the accounting would miss.
        var whole = Data(capacity: pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { whole.append(piece) }
        insert(entry, whole)
    }
}

extension CacheEntry {
    /// Whether `newer` replaces this entry. A part replaces only a part.
    func isReplaced(by newer: CacheEntry) -> Bool {
        identifier == newer.identifier || (variant == newer.variant && (part != nil || newer.part == nil))
    }

    /// The approximate number of bytes that the entry takes without its content.
    var headCost: Int {
        head.headerFields.reduce(512) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 96 }
    }
}

/// The attributes that change when a file is replaced.
struct FileStamp: Sendable, Hashable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
}

/// The states of a file before and after a change; `nil` for no file.
struct FileChange: Sendable {
    let before: FileStamp?
    let after: FileStamp?
}
