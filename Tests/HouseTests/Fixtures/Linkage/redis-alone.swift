import AirframeCache
import AirframeRedis
import FoundationEssentials

let store = RedisCacheStore(try RedisClient(url: "unix:///nonexistent/socket"))
do {
    print(try await store.entries(for: CacheKey(uri: "http://api.test/")).count)
} catch {
    print(error)
}
