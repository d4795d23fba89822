import AirframeCache
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Variants", .timeLimit(.minutes(1)))
struct CacheVariantTests {
    @Test(
        "secret request fields that Vary names are stored as digests",
        arguments: ["Authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "DPoP", "X-Tenant-Secret"])
    func secrets(name: String) throws {
        let request = get("/x", [(name, "s3cret"), ("Accept-Language", "en")])
        let head = HTTPResponse.make(200, [("Cache-Control", "max-age=60"), ("Vary", "\(name), Accept-Language")])
        let now = Date()
        let entry = CacheEntry(
            key: CacheKey(uri: "http://api.test/x"), answering: request.head, head: head, requestTime: now,
            responseTime: now)
        let text = try String(decoding: #require(entry).encoded(), as: UTF8.self)
        #expect(text.contains("en") && !text.contains("s3cret"))
    }

    @Test("a secret field selects the response to the same value")
    func selection() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60"), ("Vary", "X-Api-Key")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for _ in 0..<2 {
            #expect(try await cache.text(get("/x", [("X-Api-Key", "a")])) == "answer 1")
            #expect(try await cache.text(get("/x", [("X-Api-Key", "b")])) == "answer 2")
            #expect(try await cache.text(get("/x")) == "answer 3")
        }
    }
}
