import AirframeCache
import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeRedis

@Suite("The cache store in Redis over both engines", .timeLimit(.minutes(1)), .enabled(if: Peers.areExpected))
struct EngineTests {
    @Test("a response of nginx that one engine stored is served to the other", arguments: [true, false])
    func engines(curlFirst: Bool) async throws {
        let peers = try Peers.required()
        let client = try RedisServer.client(of: "redis://:secret@127.0.0.1:\(peers.port("redis"))")
        let store = RedisCacheStore(client, prefix: "engines:\(curlFirst):")
        let engines: [any Transport] = [CurlTransport(), SocketTransport()]
        let (first, second) = curlFirst ? (engines[0], engines[1]) : (engines[1], engines[0])
        let request = TransportRequest(
            HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:\(try peers.port("http"))", path: "/static/1k.json")
        )
        let (stored, network) = try await CacheLayer(first, store: store).content(request)
        let (served, cached) = try await CacheLayer(second, store: store).content(request)
        #expect(stored.count == 1024)
        #expect(served == stored)
        #expect([network, cached] == [.network, .cache])
        try await store.removeAll(since: nil)
        for engine in engines { await engine.shutdown() }
    }
}
