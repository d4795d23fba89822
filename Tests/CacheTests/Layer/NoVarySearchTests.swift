import AirframeLayers
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("No-Vary-Search", .timeLimit(.minutes(1)))
struct NoVarySearchTests {
    @Test(
        "names the parameters that do not distinguish resources",
        arguments: [
            ("params", "?a=1&b=2", "?c", true), ("params=?0", "?a=1", "?a=2", false),
            ("key-order", "?a=1&b=2", "?b=2&a=1", true),
            ("key-order", "?a=1&a=2", "?a=2&a=1", false), ("key-order=?0", "?a=1&b=2", "?b=2&a=1", false),
            ("params=(\"a\")", "?a=1&b=2", "?b=2&a=3", true), ("params=(\"a\")", "?a=1&b=2", "?b=3", false),
            ("params=(\"a\" \"b\")", "?a=1&b=2", "", true), ("params, except=(\"a\")", "?a=1&b=2", "?c=3&a=1", true),
            ("params, except=(\"a\")", "?a=1", "?a=2", false), ("params=(\"%C3%A9\")", "?\u{E9}=1", "?%c3%a9=2", true),
            ("params=(\"a b\")", "?a+b=1", "?a%20b=2", true), ("params=(\"x\")", "?a=%zz", "?a=%zz&x", true),
            ("params=(\"x\")", "?a=1:1", "?a=1&1", false), ("params=(\"x\")", "?a=b%26c=d", "?a=b&c=d", false),
            // Malformed fields are ignored.
            ("params=(a)", "?a=1", "?a=2", false), ("except=(\"a\")", "?b=1", "?b=2", false),
            ("params=1", "?a=1", "?a=2", false), ("params=(\"a\"", "?a=1", "?a=2", false),
            ("Params", "?a", "?b", false),
            ("key-order=(\"a\")", "?a=1&b=2", "?b=2&a=1", false), ("", "?a", "?b", false),
        ])
    func rules(field: String, first: String, second: String, isSame: Bool) async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60"), ("No-Vary-Search", field)])
        var policy = CachePolicy.private
        policy.honorsNoVarySearch = true
        let cache = CacheLayer(origin, store: MemoryCacheStore(), policy: policy)
        _ = try await cache.text(get("/a" + first))
        #expect(try await cache.send(get("/a" + first)).source == .cache)
        #expect((try await cache.send(get("/a" + second)).source == .cache) == isSame)
        #expect(try await cache.send(get("/b" + second)).source == .network)
    }

    @Test("counts only if the policy enables it")
    func setting() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60"), ("No-Vary-Search", "params")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get("/a?1"))
        #expect(try await cache.text(get("/a?2")) == "answer 2")
        #expect(try await cache.text(get("/a?1")) == "answer 1")
    }

    @Test("works with Vary, validation, invalidation and a cache on disk")
    func together() async throws {
        let clock = ShiftedClock()
        let fields = [
            ("Cache-Control", "max-age=60"), ("No-Vary-Search", "params=(\"utm\")"), ("Vary", "Accept"),
            ("ETag", "\"1\""),
        ]
        let origin = ScriptedOrigin(clock: clock) { request, number in
            let isConfirmed = request.head.headerFields[.ifNoneMatch] != nil
            return .make(isConfirmed ? 304 : 200, fields, isConfirmed ? "" : "answer \(number)", to: request)
        }
        let folder = ScratchFolder()
        var policy = CachePolicy.private
        policy.honorsNoVarySearch = true
        let cache = CacheLayer(origin, store: DiskCacheStore(directory: folder.path), policy: policy)
        func text(_ path: String, _ accept: String = "x") async throws -> String {
            try await cache.text(get(path, [("Accept", accept)]))
        }
        #expect(try await text("/a?id=1&utm=1") == "answer 1")
        #expect(try await text("/a?id=1&utm=2") == "answer 1")
        #expect(try await text("/a?id=1", "y") == "answer 2")
        #expect(try await text("/a?id=2&utm=2") == "answer 3")
        clock.advance(seconds: 100)
        #expect(try await text("/a?utm=3&id=1") == "answer 1")
        #expect(try await text("/a?utm=4&id=1") == "answer 1")
        #expect(origin.requests.count == 4)
        _ = try await cache.text(get("/a?id=1", method: .put))
        #expect(try await text("/a?id=1&utm=1") == "answer 6")
    }
}
