import AirframeCache
import AirframeMock
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Fields of a 304 or of a response to HEAD that update a stored response", .timeLimit(.minutes(1)))
struct UpdatingTests {
    private static let tag = ("ETag", "\"1\"")
    /// Before the start of the virtual clock, so that the response would be heuristically fresh for a day.
    private static let modified = ("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT")

    /// A server that sends the first fields with a 200, and the others with a 304 and in response to `HEAD`.
    private static func origin(
        _ clock: VirtualClock, _ first: [(String, String)], then other: [(String, String)]
    ) -> ScriptedOrigin {
        ScriptedOrigin(clock: clock) { request, number in
            if request.head.method == .head { return .make(200, other + [tag], "", to: request) }
            return request.head.headerFields.contains(.ifNoneMatch)
                ? .make(304, other + [tag], "", to: request)
                : .make(200, first + [tag], "answer \(number)", to: request)
        }
    }

    @Test(
        "that forbid to store it remove it (RFC 9111 §5.2.2.5, §5.2.2.7)",
        arguments: [
            ("no-store", .private, 3), ("private, max-age=60", .shared, 3), ("private, max-age=60", .private, 2),
        ] as [(String, CachePolicy, Int)])
    func forbidden(control: String, policy: CachePolicy, requests: Int) async throws {
        let clock = VirtualClock(.manual)
        let origin = Self.origin(
            clock, [("Cache-Control", "max-age=1"), Self.modified], then: [("Cache-Control", control)])
        let cache = CacheLayer(origin, store: MemoryCacheStore(), policy: policy)
        #expect(try await cache.text(get()) == "answer 1")
        await clock.advance(by: .seconds(10))
        #expect(try await cache.text(get()) == "answer 1")
        #expect(try await cache.text(get()) == (requests == 3 ? "answer 3" : "answer 1"))
        #expect(origin.requests.count == requests)
    }

    @Test("that forbid to store it remove it if they answer HEAD, too")
    func forbiddenByHead() async throws {
        let clock = VirtualClock(.manual)
        let origin = Self.origin(
            clock, [("Cache-Control", "max-age=1"), Self.modified], then: [("Cache-Control", "no-store")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        await clock.advance(by: .seconds(10))
        _ = try await cache.text(get(method: .head))
        #expect(try await cache.text(get()) == "answer 3")
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == nil)
    }

    @Test(
        "that add to Vary remove it: it would answer requests for other variants (RFC 9111 §4.1)",
        arguments: ["Accept-Language", "*"])
    func vary(names: String) async throws {
        let clock = VirtualClock(.manual)
        let origin = Self.origin(
            clock, [("Cache-Control", "max-age=1")], then: [("Cache-Control", "max-age=60"), ("Vary", names)])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get("/a", [("Accept-Language", "de")]))
        await clock.advance(by: .seconds(10))
        #expect(try await cache.text(get("/a", [("Accept-Language", "de")])) == "answer 1")
        #expect(try await cache.text(get("/a", [("Accept-Language", "fr")])) == "answer 3")
    }

    @Test("that withdraw public remove it: it would answer requests with other credentials")
    func noLongerPublic() async throws {
        let clock = VirtualClock(.manual)
        let origin = Self.origin(
            clock, [("Cache-Control", "public, max-age=1")], then: [("Cache-Control", "max-age=60")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let (one, two) = (get("/a", [("Authorization", "Bearer 1")]), get("/a", [("Authorization", "Bearer 2")]))
        _ = try await cache.text(one)
        await clock.advance(by: .seconds(10))
        #expect(try await cache.text(one) == "answer 1")
        #expect(try await cache.text(two) == "answer 3")
    }

    @Test("that lack a Date make it fresh from the time of receipt (RFC 9110 §6.6.1)")
    func date() async throws {
        let clock = VirtualClock(.manual)
        let date = ("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
        let origin = Self.origin(clock, [("Cache-Control", "max-age=60"), date], then: [])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        await clock.advance(by: .seconds(100))
        #expect(try await cache.text(get()) == "answer 1")
        await clock.advance(by: .seconds(50))
        #expect(try await cache.send(get()).source == .cache)
        #expect(origin.requests.count == 2)
    }
}
