import AirframeCache
import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The cache layer", .timeLimit(.minutes(1)))
struct CacheLayerTests {
    private static let fresh = [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")]

    @Test("a fresh response is served with its age and the source cache, without an exchange")
    func hit() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock, Self.fresh)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(cache.capabilities.features.contains(.responseCache))
        let first = try await cache.send(get())
        #expect(first.source == .network)
        #expect(try await first.body.collect(upTo: 100) == Data("answer 1".utf8))
        clock.advance(seconds: 30)
        let events = EventList()
        var request = get()
        request.events = events
        let second = try await cache.send(request)
        #expect(second.source == .cache)
        #expect(second.head.headerFields[.age] == "30")
        #expect(try await second.body.collect(upTo: 100) == Data("answer 1".utf8))
        #expect(events.decisions == ["servedFromCache"])
        #expect(origin.requests.count == 1)
        clock.advance(seconds: 40)
        #expect(try await cache.text(get()) == "answer 2")
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("a 304 refreshes the stored response (RFC 9111 §4.3.4); the validation is a separate exchange")
    func validation() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock) { request, number in
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"1\""), ("X-Number", "\(number)")]
            return .make(number == 1 ? 200 : 304, fields, number == 1 ? "content" : "", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 100)
        let events = EventList()
        var request = get()
        request.events = events
        let response = try await cache.send(request)
        #expect(response.source == .revalidated)
        #expect(response.head.status == .ok)
        #expect(try response.head.headerFields[#require(HTTPField.Name("X-Number"))] == "2")
        #expect(try await response.body.collect(upTo: 100) == Data("content".utf8))
        #expect(Set(events.all.map(\.exchange)).count == 2)
        _ = try await cache.text(get())
        #expect(origin.requests.count == 2)
    }

    @Test("every hit has the age of its second, and a change to the head of one response affects no other")
    func ages() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock) { request, number in
            .make(200, [("Cache-Control", "max-age=600"), ("X-Number", "\(number)")], "content", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        let number = try #require(HTTPField.Name("X-Number"))
        for age in [10, 20] {
            clock.advance(seconds: 10)
            for _ in 0..<2 {
                var response = try await cache.send(get())
                #expect(response.head.headerFields[values: .age] == ["\(age)"])
                #expect(response.head.headerFields[number] == "1")
                response.head.headerFields[number] = "changed"
            }
        }
        var reload = get()
        reload[CacheUse.self] = .reload
        _ = try await cache.text(reload)
        let newer = try await cache.send(get())
        #expect(newer.head.headerFields[number] == "2")
        #expect(newer.head.headerFields[.age] == "0")
    }

    @Test("each CacheUse has its documented effect")
    func uses() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock, Self.fresh)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        func text(_ use: CacheUse) async throws -> String {
            var request = get()
            request[CacheUse.self] = use
            return try await cache.text(request)
        }
        await #expect(throws: TransportError.self) { try await text(.onlyCached) }
        #expect(origin.requests.isEmpty)
        #expect(try await text(.byProtocol) == "answer 1")
        #expect(try await text(.byProtocol) == "answer 1")
        #expect(try await text(.reload) == "answer 2")
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == nil)
        #expect(try await text(.reloadEverywhere) == "answer 3")
        #expect(origin.requests.last?.headerFields[.cacheControl] == "no-cache")
        #expect(try await text(.revalidate) == "answer 4")
        #expect(origin.requests.last?.headerFields[.ifNoneMatch] == "\"1\"")
        clock.advance(seconds: 1000)
        #expect(try await text(.preferCached) == "answer 4")
        #expect(try await text(.onlyCached) == "answer 4")
        #expect(try await text(.byProtocol) == "answer 5")
    }

    @Test("only-if-cached gets a 504 from an empty cache (RFC 9111 §5.2.1.7)")
    func onlyIfCached() async throws {
        let origin = ScriptedOrigin(Self.fresh)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let response = try await cache.send(get("/a", [("Cache-Control", "only-if-cached")]))
        #expect(response.head.status.code == 504)
        #expect(origin.requests.isEmpty)
    }

    @Test("a change invalidates its target, and the Location and Content-Location of the same origin (RFC 9111 §4.4)")
    func invalidation() async throws {
        let origin = ScriptedOrigin { request, number in
            request.head.method == .get
                ? .make(200, Self.fresh, "\(number)", to: request)
                : .make(
                    201, [("Location", "/b?x"), ("Content-Location", "http://other.test/c")], "", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for path in ["/a", "/b?x", "/c"] { _ = try await cache.text(get(path)) }
        _ = try await cache.text(get("/a", method: .put))
        #expect(try await cache.text(get("/a")) == "5")
        #expect(try await cache.text(get("/b?x")) == "6")
        #expect(try await cache.text(get("/c")) == "3")
    }

    @Test("a failed change invalidates nothing")
    func failedChange() async throws {
        let origin = ScriptedOrigin { request, number in
            .make(request.head.method == .get ? 200 : 500, Self.fresh, "\(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        _ = try await cache.text(get(method: .delete))
        #expect(try await cache.text(get()) == "1")
    }

    @Test("responses to requests with credentials are kept apart, unless they are public")
    func credentials() async throws {
        for isPublic in [false, true] {
            let control = isPublic ? "public, max-age=60" : "max-age=60"
            let origin = ScriptedOrigin([("Cache-Control", control)])
            let cache = CacheLayer(origin, store: MemoryCacheStore())
            let (one, two) = (get("/a", [("Authorization", "Bearer 1")]), get("/a", [("Authorization", "Bearer 2")]))
            #expect(try await cache.text(one) == "answer 1")
            #expect(try await cache.text(two) == (isPublic ? "answer 1" : "answer 2"))
            #expect(try await cache.text(one) == "answer 1")
        }
    }

    @Test("a response to an anonymous request does not answer one with credentials, and challenges are not stored")
    func anonymous() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "max-age=60")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        #expect(try await cache.text(get("/a", [("Authorization", "Bearer 1")])) == "answer 2")
        let challenger = ScriptedOrigin(status: 401, [("Cache-Control", "max-age=60")])
        let other = CacheLayer(challenger, store: MemoryCacheStore())
        for _ in 0..<2 { _ = try await other.text(get()) }
        #expect(challenger.requests.count == 2)
    }

    @Test("stale-if-error serves when the server fails (RFC 5861 §4), unless the response must be revalidated")
    func staleIfError() async throws {
        for (control, serves) in [
            ("max-age=1, stale-if-error=60", true), ("max-age=1, stale-if-error=60, must-revalidate", false),
        ] {
            for failure in [500, 503, 0] {
                let clock = ShiftedClock()
                let origin = ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
                    guard number > 1 else { return .make(200, [("Cache-Control", control)], "content", to: request) }
                    guard failure > 0 else {
                        throw TransportError(
                            .connectFailed, phase: .connect, processing: .notSent, message: "refused")
                    }
                    return .make(failure, [], "failed", to: request)
                }
                let cache = CacheLayer(origin, store: MemoryCacheStore())
                _ = try await cache.text(get())
                clock.advance(seconds: 10)
                let text = try? await cache.text(get())
                #expect((text == "content") == serves)
                clock.advance(seconds: 100)
                #expect(await (try? cache.text(get())) != "content")
            }
        }
    }

    @Test("stale-while-revalidate serves immediately, and one request revalidates in the background (RFC 5861 §3)")
    func staleWhileRevalidate() async throws {
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(
            clock: clock, [("Cache-Control", "max-age=600, stale-while-revalidate=6000"), ("ETag", "\"1\"")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 1000)
        let events = EventList()
        var request = get()
        request.events = events
        #expect(try await cache.text(request) == "answer 1")
        try await eventually { try await cache.text(get()) == "answer 2" }
        #expect(origin.requests.count == 2)
        #expect(events.all.contains { $0.exchange != request.exchange })
    }

    @Test("a failing store is a miss with a decision, and fails no request")
    func failingStore() async throws {
        let origin = ScriptedOrigin(Self.fresh)
        let cache = CacheLayer(origin, store: DiskCacheStore(directory: "/dev/null/cache"))
        let events = EventList()
        for number in 1...2 {
            var request = get()
            request.events = events
            #expect(try await cache.text(request) == "answer \(number)")
        }
        #expect(events.decisions.contains("cacheFailed"))
        _ = try await cache.text(get(method: .put))
    }

    @Test("a CacheDecision replaces, refuses, or keeps a response in memory")
    func decisions() async throws {
        let origin = ScriptedOrigin(Self.fresh)
        let store = MemoryCacheStore()
        let cache = CacheLayer(origin, store: store)
        func send(_ path: String, _ decide: @escaping @Sendable (CacheableResponse) -> CacheableResponse?) async throws
        {
            var request = get(path)
            request[CacheDecision.self] = { decide($0) }
            _ = try await cache.text(request)
        }
        try await send("/changed") { candidate in
            var changed = candidate
            changed.data = Data("changed".utf8)
            changed.storage = .memory
            return changed
        }
        try await send("/refused") { _ in nil }
        #expect(try await cache.text(get("/changed")) == "changed")
        #expect(try await cache.text(get("/refused")) == "answer 3")
    }

    @Test("Cache-Status describes the handling of a request (RFC 9211)")
    func cacheStatus() async throws {
        let origin = ScriptedOrigin(Self.fresh)
        var policy = CachePolicy.private
        policy.statusName = "airframe"
        let cache = CacheLayer(origin, store: MemoryCacheStore(), policy: policy)
        let name = try #require(HTTPField.Name("Cache-Status"))
        var values: [String] = []
        for _ in 0..<2 {
            let response = try await cache.send(get())
            values.append(response.head.headerFields[name] ?? "")
            _ = try await response.body.collect(upTo: 100)
        }
        #expect(values[0] == "airframe; fwd=uri-miss; stored")
        #expect(values[1].hasPrefix("airframe; hit; ttl=5") || values[1].hasPrefix("airframe; hit; ttl=60"))
    }

    @Test("trailers are stored separately from the header (RFC 9111 §3.1), and a transfer coding is not stored")
    func trailers() async throws {
        let origin = ScriptedOrigin { request, _ in
            var trailers = HTTPFields()
            trailers[.eTag] = "\"t\""
            return TransportResponse(
                head: .make(200, Self.fresh + [("Transfer-Encoding", "arizqhypgxofwne")]),
                body: ResponseBody(Data("x".utf8), trailers: trailers), request: request.head)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for _ in 0..<2 {
            let response = try await cache.send(get())
            _ = try await response.body.collect(upTo: 10)
            #expect(response.body.trailers?[.eTag] == "\"t\"")
            #expect(response.source == .network || response.head.headerFields[.transferEncoding] == nil)
        }
        #expect(origin.requests.count == 1)
    }
}
