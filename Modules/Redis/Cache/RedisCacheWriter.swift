internal import AirframeCache
internal import FoundationEssentials
internal import Synchronization

/// Collects content in memory, and sends it with its head, so that a response is stored atomically.
final class RedisCacheWriter: CacheWriter {
    private let store: RedisCacheStore
    // Guards the content so far; `nil` once the content is too long.
    private let content = Mutex<Data?>(Data())

    init(_ store: RedisCacheStore) { self.store = store }

    func append(_ data: Data) async throws(CacheStoreError) -> Bool {
        content.withLock { content in
            guard Int64((content?.count ?? 0) + data.count) <= store.maximumContentLength else {
                content = nil
                return false
            }
            content?.append(data)
            return content != nil
        }
    }

    func commit(_ entry: CacheEntry) async throws(CacheStoreError) {
        guard let content = content.withLock({ $0 }) else { return }
        try await store.insert(entry, content)
    }
}
