public import FoundationEssentials
package import HTTPTypes
internal import Synchronization

/// A cache of responses with Foundation's spelling: in memory, and on disk if it is given a folder.
///
/// `URLSessionConfiguration.urlCache` sets the cache of a session. The methods that take a `URLRequest` are in the
/// umbrella module, Airframe.
///
/// ```swift
/// let folder = URL(filePath: "/var/cache/app")
/// configuration.urlCache = URLCache(memoryCapacity: 16 << 20, diskCapacity: 256 << 20, directory: folder)
/// ```
public final class URLCache: Sendable {
    private static let sharedCache = Mutex(URLCache(memoryCapacity: 4 << 20, diskCapacity: 0))

    /// The cache of sessions with a default configuration: 4 MiB in memory, nothing on disk. Set another one before the
    /// first session is made.
    public static var shared: URLCache {
        get { sharedCache.withLock { $0 } }
        set { sharedCache.withLock { $0 = newValue } }
    }

    /// The responses, for a ``CacheLayer`` of your own.
    public var store: any CacheStore { tiers }

    package let tiers: TieredCacheStore
    /// Whether there is a folder: without one a capacity of the disk has no effect.
    private let hasDirectory: Bool

    /// Creates a cache. Nothing is read or written before the first use.
    ///
    /// - Parameters:
    ///   - memoryCapacity: The maximum number of bytes to hold in memory.
    ///   - diskCapacity: The maximum number of bytes to hold on disk. Without a directory it has no effect: Linux has
    ///     no default cache directory for a program.
    ///   - directory: The folder, which other processes may share.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
        hasDirectory = directory != nil
        tiers = TieredCacheStore(
            memory: MemoryCacheStore(capacity: memoryCapacity),
            disk: DiskCacheStore(
                directory: directory?.path(percentEncoded: false).withoutTrailingSlash ?? "",
                capacity: directory == nil ? 0 : Int64(diskCapacity)))
    }

    /// Creates a cache in the folder at `diskPath`.
    ///
    /// - Parameters:
    ///   - memoryCapacity: The maximum number of bytes to hold in memory.
    ///   - diskCapacity: The maximum number of bytes to hold on disk.
    ///   - diskPath: The folder's path; `nil` for a cache in memory.
    public convenience init(memoryCapacity: Int, diskCapacity: Int, diskPath: String?) {
        self.init(
            memoryCapacity: memoryCapacity, diskCapacity: diskCapacity,
            directory: diskPath.map { URL(filePath: $0, directoryHint: .isDirectory) })
    }

    /// The maximum number of bytes to hold in memory. Lowering it evicts responses immediately.
    public var memoryCapacity: Int {
        get { tiers.memory.capacity }
        set { tiers.memory.capacity = newValue }
    }

    /// The maximum number of bytes to hold on disk. Lowering it evicts responses in the background.
    public var diskCapacity: Int {
        get { Int(clamping: tiers.disk.capacity) }
        set { if hasDirectory { tiers.disk.capacity = Int64(newValue) } }
    }

    /// The number of bytes held in memory, heads included.
    public var currentMemoryUsage: Int { tiers.memory.usage }

    /// The number of bytes held on disk, heads included.
    public var currentDiskUsage: Int { hasDirectory ? Int(clamping: tiers.disk.usage) : 0 }

    /// Removes all responses. Those in flight are not stored.
    public func removeAllCachedResponses() { removeResponses(since: nil) }

    /// Removes the responses that were received at `date` or later. Responses in flight are not stored.
    public func removeCachedResponses(since date: Date) { removeResponses(since: date) }

    private func removeResponses(since date: Date?) {
        // Recorded first, as in `CacheExchange.invalidate(after:)`.
        changes.appendAll()
        try? tiers.removeResponses(since: date)
    }

    /// The changes of resources, in all layers with this cache.
    private var changes: ResourceChanges { ResourceChanges.ofResponses(in: tiers) }
}

// MARK: By request

extension URLCache {
    /// Returns the stored response for a request, fresh or stale; `nil` if there is none, or the store fails.
    package func lookUp(_ request: HTTPRequest) -> (entry: CacheEntry, content: Data)? {
        guard let key = CacheKey(request), let entries = try? tiers.lookUp(key) else { return nil }
        let matching = (entries + otherQueries(key)).filter {
            $0.part == nil
                && $0.variant.matches(request, language: $0.head.headerFields[.contentLanguage], policy: .private)
        }
        guard let entry = matching.preferred(at: Date().timeIntervalSince1970),
            let content = try? tiers.read(entry), let data = try? content.bytes()
        else { return nil }
        return (entry, data)
    }

    /// Returns the responses for other queries that answer the same request (`No-Vary-Search`).
    private func otherQueries(_ key: CacheKey) -> [CacheEntry] {
        let query = key.withoutQuery.query
        return ((try? tiers.lookUp(key.withoutSearch)) ?? []).filter { entry in
            entry.variant.search.map { SearchVariance(entry.head)?.search(query) == $0 } ?? false
        }
    }

    /// Stores a response for a request.
    package func insert(
        _ head: HTTPResponse,
        _ content: Data,
        for request: HTTPRequest,
        isMemoryOnly: Bool,
        userInfo: [String: any Sendable]
    ) {
        guard let key = CacheKey(request), let variant = CacheVariant(request, head, policy: .private) else { return }
        let now = Date().timeIntervalSince1970
        var entry = CacheEntry(
            key: key, variant: variant, head: StoredFields.storing(head, policy: .private),
            times: ExchangeTimes(request: now, response: now), policy: .private)
        entry.isMemoryOnly = isMemoryOnly
        entry.userInfo = userInfo
        try? tiers.insert(entry, content)
    }

    /// Removes the responses stored for a request's URL.
    package func remove(_ request: HTTPRequest) {
        guard let key = CacheKey(request) else { return }
        for key in [key, key.withoutSearch] {
            changes.append(key)
            try? tiers.drop(key)
        }
    }
}

extension String {
    fileprivate var withoutTrailingSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}
