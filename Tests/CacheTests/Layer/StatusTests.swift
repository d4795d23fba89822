import AirframeCache
import AirframeMock
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Statuses and credentials that limit the use of a response", .timeLimit(.minutes(1)))
struct StatusTests {
    @Test(
        "conditions of a request do not count for a stored response that is no success (RFC 9110 §13.2.1)",
        arguments: [404, 410, 301, 200],
        [("If-Modified-Since", "Mon, 01 Jan 2024 00:00:00 GMT"), ("If-None-Match", "*")])
    func conditions(status: Int, condition: (String, String)) async throws {
        let fields = [("Cache-Control", "max-age=60"), ("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT")]
        let origin = ScriptedOrigin(status: status, fields)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        let response = try await cache.send(get("/a", [condition]))
        #expect(response.head.status.code == (status == 200 ? 304 : status))
        #expect(response.source == .cache)
        #expect(origin.requests.count == 1)
    }

    @Test(
        "a 412 or 416 answers the condition or the range of one request, and is not stored",
        arguments: [(412, ("If-Match", "\"2\"")), (416, ("Range", "bytes=900-"))])
    func answersToFields(status: Int, field: (String, String)) async throws {
        let origin = ScriptedOrigin { request, number in
            .make(number == 1 ? status : 200, [("Cache-Control", "max-age=60")], "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.send(get("/a", [field])).head.status.code == status)
        #expect(try await cache.text(get()) == "answer 2")
        #expect(try await cache.text(get()) == "answer 2")
    }

    @Test("no-cache alone does not permit to store any status (RFC 9111 §3), which would replace a success")
    func noCache() async throws {
        let clock = VirtualClock(.manual)
        let origin = ScriptedOrigin(clock: clock) { request, number in
            number == 1
                ? .make(200, [("Cache-Control", "max-age=1"), ("ETag", "\"1\"")], "content", to: request)
                : .make(429, [("Cache-Control", "no-cache"), ("ETag", "\"2\"")], "slow down", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        await clock.advance(by: .seconds(10))
        for _ in 0..<2 { #expect(try await cache.text(get()) == "slow down") }
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("responses to requests with Digest credentials, which no other request has, are stored only if public")
    func digest() async throws {
        for isPublic in [false, true] {
            let control = isPublic ? "public, max-age=60" : "max-age=60"
            let origin = ScriptedOrigin([("Cache-Control", control), ("ETag", "\"1\"")])
            let store = MemoryCacheStore()
            let cache = CacheLayer(origin, store: store)
            for number in 1...2 {
                let field = "Digest username=\"u\", nonce=\"n\", nc=0000000\(number), response=\"\(number)\""
                _ = try await cache.text(get("/a", [("Authorization", field)]))
            }
            #expect((store.usage > 0) == isPublic)
            #expect(origin.requests.count == (isPublic ? 1 : 2))
        }
    }
}
