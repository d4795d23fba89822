internal import FoundationEssentials

/// A store that stores nothing, for a layer whose requests bring their stores.
final class NoCacheStore: CacheStore {
    static let shared = NoCacheStore()

    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { [] }

    func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent? { nil }

    func writer(
        for entry: CacheEntry,
        expectedLength: Int64?
    ) async throws(CacheStoreError) -> (any CacheWriter)? { nil }

    func update(_ entry: CacheEntry) async throws(CacheStoreError) {}

    func remove(_ entry: CacheEntry) async throws(CacheStoreError) {}

    func removeAll(for key: CacheKey) async throws(CacheStoreError) {}

    func removeAll(since date: Date?) async throws(CacheStoreError) {}
}
