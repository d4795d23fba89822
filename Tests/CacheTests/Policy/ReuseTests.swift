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
}
