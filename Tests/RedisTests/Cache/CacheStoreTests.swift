import AirframeCache
import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeRedis

@Suite("The cache store in Redis", .timeLimit(.minutes(2)), .enabled(if: RedisServer.isExpected))
struct CacheStoreTests {
    @Test(
        "stored responses, small and large, are found again with all variants",
        arguments: [0, 100, 16 << 10, 200_000])
    func roundTrip(size: Int) async throws {
        let server = try await RedisServer()
        let origin = ScriptedTransport.origin(size)
        let cache = CacheLayer(origin, store: RedisCacheStore(try server.client()))
        let again = CacheLayer(origin, store: RedisCacheStore(try server.client()))
        for accept in ["a", "b", "c"] { _ = try await cache.content(get("/x", [.accept: accept])) }
        for accept in ["a", "b", "c"] {
            let request = get("/x", [.accept: accept])
            let (content, source) = try await again.content(request)
            #expect(content == ScriptedTransport.content(of: request.head, size))
            #expect(source == .cache)
        }
        #expect(origin.requests.count == 3)
        #expect(try await again.content(get("/x", [.accept: "d"])).1 == .network)
        _ = try await again.content(get("/x", method: .delete))
        #expect(try await cache.content(get("/x", [.accept: "a"])).1 == .network)
    }

    @Test("a newer response replaces the one of its variant, and a validated one gets the new head")
    func replacement() async throws {
        let server = try await RedisServer()
        let store = RedisCacheStore(try server.client())
        let origin = ScriptedTransport.origin(30_000, [.cacheControl: "no-cache", .eTag: "\"1\""])
        let cache = CacheLayer(origin, store: store)
        var request = get("/x")
        request[CacheUse.self] = .reload
        for _ in 0..<3 { _ = try await cache.content(request) }
        let key = try #require(CacheKey(request.head))
        let first = try #require(try await store.entries(for: key).first)
        #expect(try await store.entries(for: key).count == 1)
        let contents = try await store.client.send(RedisCommand("HLEN", "airframe:cache:contents:{\(key.uri)}"))
        #expect(contents == .integer(1))
        #expect(try await cache.content(get("/x")).1 == .revalidated)
        let updated = try #require(try await store.entries(for: key).first)
        #expect(updated.identifier == first.identifier)
        #expect(updated.responseTime > first.responseTime)
        try await store.remove(first)
        #expect(try await store.entries(for: key).isEmpty)
        // A late update does not restore the response.
        try await store.update(updated)
        #expect(try await store.entries(for: key).isEmpty)
        #expect(try await store.content(of: updated) == nil)
    }

    @Test("a resource has at most 32 variants")
    func variants() async throws {
        let server = try await RedisServer()
        let store = RedisCacheStore(try server.client())
        let cache = CacheLayer(ScriptedTransport.origin(20_000), store: store)
        for number in 0..<40 { _ = try await cache.content(get("/x", [.accept: "\(number)"])) }
        let key = try #require(CacheKey(get("/x").head))
        #expect(try await store.entries(for: key).count == RedisCacheScript.variantLimit)
        let contents = try await store.client.send(RedisCommand("HLEN", "airframe:cache:contents:{\(key.uri)}"))
        #expect(contents == .integer(32))
    }

    @Test("responses expire after they were stale for staleRetention")
    func expiry() async throws {
        let server = try await RedisServer()
        let store = RedisCacheStore(try server.client(), staleRetention: .seconds(1000))
        let cache = CacheLayer(ScriptedTransport.origin(20_000), store: store)
        _ = try await cache.content(get("/x"))
        for part in ["heads", "contents"] {
            let key = "airframe:cache:\(part):{http://api.test/x}"
            let left = try #require(try await store.client.send(RedisCommand("PTTL", key)).integer)
            #expect((1_500_000...1_600_000).contains(left))
        }
    }

    @Test("responses are removed by date, and caches with other prefixes stay")
    func removal() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let (store, other) = (RedisCacheStore(client, prefix: "a*:"), RedisCacheStore(client, prefix: "ab:"))
        let cache = CacheLayer(ScriptedTransport.origin(), store: store)
        let neighbor = CacheLayer(ScriptedTransport.origin(), store: other)
        for number in 0..<50 { _ = try await cache.content(get("/\(number)")) }
        _ = try await neighbor.content(get("/0"))
        let date = Date()
        for number in 50..<60 { _ = try await cache.content(get("/\(number)")) }
        try await store.removeAll(since: date)
        #expect(try await cache.content(get("/49")).1 == .cache)
        #expect(try await cache.content(get("/55")).1 == .network)
        try await store.removeAll(since: nil)
        #expect(try await cache.content(get("/49")).1 == .network)
        #expect(try await neighbor.content(get("/0")).1 == .cache)
    }

    @Test("content beyond the limit is passed on and not stored")
    func limit() async throws {
        let server = try await RedisServer()
        let store = RedisCacheStore(try server.client(), maximumContentLength: 1000)
        let cache = CacheLayer(ScriptedTransport.origin(1001), store: store)
        for _ in 0..<2 {
            let (content, source) = try await cache.content(get("/x"))
            #expect(content.count == 1001)
            #expect(source == .network)
        }
    }

    @Test("damaged and foreign values are misses")
    func damage() async throws {
        let server = try await RedisServer()
        let store = RedisCacheStore(try server.client())
        let cache = CacheLayer(ScriptedTransport.origin(), store: store)
        let heads = "airframe:cache:heads:{http://api.test/x}"
        for value in [Data(), Data("0123456789abcdefAFCACHE1".utf8), Data(repeating: 0x41, count: 500)] {
            _ = try await store.client.send(RedisCommand("DEL", heads))
            _ = try await store.client.send(RedisCommand("HSET", heads, "field", value))
            #expect(try await cache.content(get("/x")).1 == .network)
            #expect(try await cache.content(get("/x")).1 == .cache)
        }
        // A key of another type makes the store fail.
        _ = try await store.client.send(RedisCommand("DEL", heads))
        _ = try await store.client.send(RedisCommand("SET", heads, "text"))
        let (failures, source) = try await Self.failures(cache, get("/x"))
        #expect(source == .network)
        #expect(failures.count == 2 && failures.allSatisfy { $0.contains("WRONGTYPE") })
    }

    @Test("a server that stops fails no request, and is used again after its restart")
    func outage() async throws {
        let server = try await RedisServer()
        let cache = CacheLayer(ScriptedTransport.origin(20_000), store: RedisCacheStore(try server.client()))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<100 {
                        let request = get("/\(task)/\(number % 10)")
                        let (content, _) = try await cache.content(request)
                        #expect(content == ScriptedTransport.content(of: request.head, 20_000))
                        if task == 0, number == 30 { server.stop() }
                        if task == 0, number == 70 { try await server.start() }
                    }
                }
            }
            try await group.waitForAll()
        }
        server.stop()
        let (failures, source) = try await Self.failures(cache, get("/new"))
        #expect(source == .network)
        #expect(failures.contains { $0.contains(server.folder) })
        try await server.start()
        try await eventually("a response of the cache") { try await cache.content(get("/new")).1 == .cache }
    }

    @Test("two processes share one cache")
    func processes() async throws {
        let server = try await RedisServer()
        var outputs: [String] = []
        for _ in 0..<2 { outputs.append(try await Self.probe(["cache", server.url, "p:"])) }
        #expect(outputs[0].hasPrefix("network from "))
        #expect(outputs[1] == outputs[0].replacing("network", with: "cache"))
    }

    private static func probe(_ arguments: [String]) async throws -> String {
        let outcome = try await Command.built("redis-probe", arguments).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    /// The reasons for which the store failed during a request.
    private static func failures(
        _ cache: CacheLayer, _ request: TransportRequest
    ) async throws -> ([String], ResponseSource) {
        let log = EventLog()
        var request = request
        request.events = log
        let (_, source) = try await cache.content(request)
        return (log.decisions.filter { "\($0.kind)" == "cacheFailed" }.map(\.reason), source)
    }
}
