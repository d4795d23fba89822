import AirframeCache
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The choice among stored responses", .timeLimit(.minutes(1)))
struct ReuseTests {
    @Test(
        "a request's max-stale and min-fresh take precedence over stale-while-revalidate (RFC 9111 §5.2.1)",
        arguments: ["max-stale=5", "min-fresh=30"])
    func limits(control: String) async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(
            clock: clock, [("Cache-Control", "max-age=10, stale-while-revalidate=1000"), ("ETag", "\"1\"")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 500)
        #expect(try await cache.text(get("/a", [("Cache-Control", control)])) == "answer 2")
    }

    @Test("a response that Vary selects precedes a newer one without Vary (RFC 9111 §4.1)")
    func missingVary() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock) { request, _ in
            let isFrench = request.head.headerFields.contains(.acceptLanguage)
            let fields = [("Cache-Control", "max-age=60")] + (isFrench ? [("Vary", "Accept-Language")] : [])
            return .make(200, fields, isFrench ? "français" : "English", to: request)
        }
        let stored = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let cache = CacheLayer(origin, store: stored.store)
        let french = get("/a", [("Accept-Language", "fr")])
        #expect(try await cache.text(french) == "français")
        clock.advance(seconds: 5)
        #expect(try await cache.text(get()) == "English")
        #expect(try await cache.text(french) == "français")
        #expect(stored.lookUp(french.head)?.content == Data("français".utf8))
        #expect(try await cache.text(get()) == "English")
        #expect(origin.requests.count == 2)
    }

    @Test(
        "a response with Vary that needs a validation does not precede a newer one without Vary",
        arguments: ["max-age=60", "no-cache"])
    func ceasedVary(control: String) async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock) { request, number in
            let first = [("Cache-Control", control), ("Vary", "Accept-Encoding"), ("ETag", "\"1\"")]
            let later = [("Cache-Control", "max-age=3600"), ("ETag", "\"2\"")]
            return .make(200, number == 1 ? first : later, "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.text(get()) == "answer 1")
        clock.advance(seconds: 100)
        for _ in 0..<2 { #expect(try await cache.text(get()) == "answer 2") }
        #expect(origin.requests.count == 2)
    }

    @Test("URLCache returns a response without Vary that is newer than a stale one with it")
    func ceasedVaryInURLCache() {
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        for (fields, text) in [([("Vary", "Accept")], "old"), ([], "new")] as [([(String, String)], String)] {
            let head = HTTPResponse.make(200, fields + [("Cache-Control", "max-age=0")])
            cache.insert(head, Data(text.utf8), for: get().head, isMemoryOnly: false, userInfo: [:])
        }
        #expect(cache.lookUp(get().head)?.content == Data("new".utf8))
    }
}
