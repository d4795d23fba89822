import AirframeCache
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Requests for the same missing resource", .timeLimit(.minutes(1)))
struct CollapsingTests {
    private static let fresh = [("Cache-Control", "max-age=60")]

    private static func origin(
        _ bodies: [HeldBody], _ fields: [(String, String)] = fresh, length: Int64? = nil,
        clock: any TransportClock = SystemClock.shared
    ) -> ScriptedOrigin {
        ScriptedOrigin(clock: clock) { request, number in
            TransportResponse(
                head: .make(200, fields),
                body: ResponseBody(bodies[min(number, bodies.count) - 1], expectedLength: length),
                request: request.head)
        }
    }

    @Test("wait for one response, which streams to all of them")
    func collapse() async throws {
        let body = HeldBody()
        let origin = Self.origin([body])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await cache.text(get()) } }
            for piece in ["a", "b", "c"] { body.give(Data(piece.utf8)) }
            body.give(nil)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "abc", count: 50))
        #expect(origin.requests.count == 1)
    }

    @Test("a request that joins while the content is read gets all of it")
    func late() async throws {
        let body = HeldBody()
        let origin = Self.origin([body])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let first = try await cache.send(get())
        body.give(Data("ab".utf8))
        #expect(try await first.body.next() == Data("ab".utf8))
        let second = try await cache.send(get())
        #expect(try await second.body.next() == Data("ab".utf8))
        body.give(Data("c".utf8))
        body.give(nil)
        #expect(try await first.body.next() == Data("c".utf8))
        #expect(try await second.body.collect(upTo: 10) == Data("c".utf8))
        #expect(try await first.body.next() == nil)
        #expect(origin.requests.count == 1)
    }

    @Test("a reader that cancels does not end the exchange for the others")
    func leaving() async throws {
        let body = HeldBody()
        let cache = CacheLayer(Self.origin([body]), store: MemoryCacheStore())
        let first = try await cache.send(get())
        let second = try await cache.send(get())
        first.body.cancel()
        body.give(Data("content".utf8))
        body.give(nil)
        #expect(try await second.body.collect(upTo: 10) == Data("content".utf8))
    }

    @Test(
        "after the last reader has cancelled, the rest is fetched for the store only if it is small",
        arguments: [10, 1 << 20])
    func lastReader(length: Int) async throws {
        let (body, again) = (HeldBody(), HeldBody())
        let origin = Self.origin([body, again], length: Int64(length))
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let response = try await cache.send(get())
        body.give(Data("x".utf8))
        _ = try await response.body.next()
        response.body.cancel()
        if length == 10 {
            body.give(Data("123456789".utf8))
            body.give(nil)
            #expect(try await cache.text(get()) == "x123456789")
            #expect(origin.requests.count == 1)
        } else {
            try await eventually { body.isCancelled }
            again.give(Data(count: length))
            again.give(nil)
            #expect(try await cache.text(get()).utf8.count == length)
            #expect(origin.requests.count == 2)
        }
    }

    @Test("a request does not join content that no request reads any longer and that has stalled")
    func stalled() async throws {
        let clock = VirtualClock(.manual)
        let (body, again) = (HeldBody(), HeldBody())
        let origin = Self.origin([body, again], length: 10, clock: clock)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let response = try await cache.send(get())
        body.give(Data("x".utf8))
        _ = try await response.body.next()
        response.body.cancel()
        await clock.advance(by: .seconds(2))
        again.give(Data("0123456789".utf8))
        again.give(nil)
        #expect(try await cache.text(get()) == "0123456789")
        #expect(origin.requests.count == 2)
        try await eventually { body.isCancelled }
    }

    @Test(
        "a response that a later request would not get from the store answers one request (RFC 9111 §4)",
        arguments: [
            ("no-cache", nil, 0), ("max-age=0", nil, 0), ("max-age=5", nil, 10), ("max-age=60", "no-cache", 0),
            ("max-age=60", "max-age=5", 10),
        ] as [(String, String?, Int)])
    func notReusable(control: String, own: String?, seconds: Int) async throws {
        let clock = VirtualClock(.manual)
        let bodies = [HeldBody(), HeldBody()]
        let origin = Self.origin(bodies, [("Cache-Control", control), ("ETag", "\"1\"")], clock: clock)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let first = try await cache.send(get())
        await clock.advance(by: .seconds(seconds))
        let second = try await cache.send(get("/a", own.map { [("Cache-Control", $0)] } ?? []))
        #expect(origin.requests.count == 2)
        for (number, response) in [first, second].enumerated() {
            bodies[number].give(Data("\(number)".utf8))
            bodies[number].give(nil)
            #expect(try await response.body.collect(upTo: 10) == Data("\(number)".utf8))
        }
    }

    @Test("after a cancelled leader, the next request is sent")
    func cancelledLeader() async throws {
        let gate = HeldBody()
        let origin = ScriptedOrigin { request, number throws(TransportError) in
            if number == 1 {
                let isCancelled = await withTaskCancellationHandler {
                    (try? await gate.next()) == nil
                } onCancel: {
                    gate.cancel()
                }
                if isCancelled { throw .cancelled(in: .responseHead, processing: .unknown) }
            }
            return .make(200, Self.fresh, "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 1 }
        let followers = (0..<5).map { _ in Task { try await cache.text(get()) } }
        leader.cancel()
        for follower in followers { #expect(try await follower.value == "answer 2") }
        #expect(origin.requests.count == 2)
        await #expect(throws: TransportError.self) { try await leader.value }
    }

    @Test("a response that may not be stored answers one request only")
    func unshared() async throws {
        let origin = ScriptedOrigin([("Cache-Control", "no-store")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try await cache.text(get()) } }
            try await group.waitForAll()
        }
        #expect(origin.requests.count == 10)
    }

    @Test("truncated content is not stored, and every reader gets the error")
    func broken() async throws {
        let body = HeldBody()
        let origin = Self.origin([body], length: 10)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let (first, second) = (try await cache.send(get()), try await cache.send(get()))
        body.give(Data("ab".utf8))
        body.cancel()
        await #expect(throws: TransportError.self) { try await first.body.collect(upTo: 100) }
        await #expect(throws: TransportError.self) { try await second.body.collect(upTo: 100) }
    }

    @Test("large content passes in bounded memory and is stored")
    func large() async throws {
        let body = HeldBody()
        let cache = CacheLayer(Self.origin([body]), store: MemoryCacheStore(capacity: 64 << 20))
        let response = try await cache.send(get())
        let piece = Data(repeating: 7, count: 64 << 10)
        for _ in 0..<160 { body.give(piece) }
        body.give(nil)
        var count = 0
        while let chunk = try await response.body.next() { count += chunk.count }
        #expect(count == 160 * piece.count)
        #expect(try await cache.send(get()).body.collect(upTo: 64 << 20).count == count)
    }

    @Test("a request that stores cookies does not join one that leaves the response's cookies")
    func cookies() async throws {
        let bodies = [HeldBody(), HeldBody()]
        let origin = Self.origin(bodies, Self.fresh + [("Set-Cookie", "a=1")])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = get().with { $0[CookieContext.self] = CookieContext(isHandled: false) }
        let first = try await cache.send(leader)
        let other = try await cache.send(leader)
        #expect(other.source == .cache)
        let second = try await cache.send(get())
        #expect(second.source == .network)
        #expect(origin.requests.count == 2)
        for body in bodies { body.give(nil) }
        for response in [first, other, second] { #expect(try await response.body.collect(upTo: 10).isEmpty) }
    }

    @Test("nor does it use the stored response if the content arrived with the head")
    func cookiesOfWholeResponse() async throws {
        let gate = HeldBody()
        let origin = ScriptedOrigin { request, number throws(TransportError) in
            if number == 1 { _ = try await gate.next() }
            return .make(200, Self.fresh + [("Set-Cookie", "a=1")], "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = get().with { $0[CookieContext.self] = CookieContext(isHandled: false) }
        async let first = cache.text(leader)
        try await eventually("the leader") { origin.requests.count == 1 }
        let events = EventList()
        let follower = get().with { $0.events = events }
        async let second = cache.send(follower)
        try await eventually("the follower") { events.decisions.contains("cacheMiss") }
        for _ in 0..<1000 { await Task.yield() }
        gate.give(nil)
        #expect(try await first == "answer 1")
        #expect(try await second.source == .network)
        #expect(origin.requests.count == 2)
    }
}
