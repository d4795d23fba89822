import AirframeCache
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Requests for the same stale resource", .timeLimit(.minutes(1)))
struct ValidationCollapsingTests {
    private static let stale = [("Cache-Control", "max-age=1"), ("ETag", "\"1\"")]

    /// A server whose first response is stored; later ones wait for the gate.
    private static func origin(
        _ clock: ShiftedClock, _ gate: HeldBody, _ fields: [(String, String)] = stale,
        _ answer: @escaping @Sendable (TransportRequest, Int) throws(TransportError) -> TransportResponse
    ) -> ScriptedOrigin {
        ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            guard number > 1 else { return .make(200, fields, "stored", to: request) }
            _ = try await gate.next()
            return try answer(request, number)
        }
    }

    /// The responses to requests that are all sent before the server answers the first.
    private static func answers(
        _ origin: ScriptedOrigin, _ cache: CacheLayer, _ gate: HeldBody, count: Int = 20,
        _ request: @escaping @Sendable (Int) -> TransportRequest = { _ in get() }
    ) async throws -> [(String, ResponseSource)] {
        let tasks = (0..<count).map { number in
            Task {
                let response = try await cache.send(request(number))
                let content = try await response.body.collect(upTo: 100)
                return (String(decoding: content, as: UTF8.self), response.source)
            }
        }
        try await eventually { origin.requests.count == 2 }
        // The other requests have joined by now, or find a fresh response.
        for _ in 0..<count { gate.give(Data("x".utf8)) }
        var answers: [(String, ResponseSource)] = []
        for task in tasks { answers.append(try await task.value) }
        return answers
    }

    @Test("wait for one validation")
    func confirmed() async throws {
        let (clock, gate) = (ShiftedClock(), HeldBody())
        let origin = Self.origin(clock, gate) { request, _ in .make(304, Self.stale, "", to: request) }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 10)
        let answers = try await Self.answers(origin, cache, gate)
        #expect(answers.allSatisfy { $0.0 == "stored" })
        #expect(answers.count { $0.1 == .revalidated } == 1)
        #expect(origin.requests.count == 2)
    }

    @Test("all get a new response")
    func replaced() async throws {
        let (clock, gate) = (ShiftedClock(), HeldBody())
        let origin = Self.origin(clock, gate) { request, number in
            .make(200, [("Cache-Control", "max-age=60")], "new \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 10)
        let answers = try await Self.answers(origin, cache, gate)
        #expect(answers.allSatisfy { $0.0 == "new 2" })
        #expect(origin.requests.count == 2)
    }

    @Test("all get the stale response that replaces an error of the server")
    func staleIfError() async throws {
        let (clock, gate) = (ShiftedClock(), HeldBody())
        let fields = [("Cache-Control", "max-age=1, stale-if-error=60"), ("ETag", "\"1\"")]
        let origin = Self.origin(clock, gate, fields) { request, _ in .make(503, [], "down", to: request) }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 10)
        let task = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 2 }
        let other = Task { try await cache.text(get()) }
        for _ in 0..<2 { gate.give(Data("x".utf8)) }
        #expect(try await task.value == "stored")
        #expect(try await other.value == "stored")
    }

    @Test("all get the error of a server whose certificate is refused")
    func failures() async throws {
        let (clock, gate) = (ShiftedClock(), HeldBody())
        let origin = Self.origin(clock, gate) { _, _ throws(TransportError) in
            throw TransportError(.trustRefused, phase: .tls, processing: .notSent, message: "expired")
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 10)
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 2 }
        let follower = Task { try await cache.text(get()) }
        // One for each, if the follower joins late and sends its own request.
        for _ in 0..<2 { gate.give(Data("x".utf8)) }
        await #expect(throws: TransportError.self) { try await leader.value }
        await #expect(throws: TransportError.self) { try await follower.value }
    }

    @Test("a request that stores cookies does not use a validation whose response's cookies are left")
    func cookies() async throws {
        let (clock, gate) = (ShiftedClock(), HeldBody())
        let origin = Self.origin(clock, gate) { request, _ in
            .make(304, Self.stale + [("Set-Cookie", "a=1")], "", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 10)
        let leader = get().with { $0[CookieContext.self] = CookieContext(isHandled: false) }
        async let first = cache.send(leader)
        try await eventually("the leader") { origin.requests.count == 2 }
        let events = EventList()
        let follower = get().with { $0.events = events }
        async let second = cache.send(follower)
        try await eventually("the follower") { events.decisions.contains("cacheMiss") }
        for _ in 0..<1000 { await Task.yield() }
        for _ in 0..<2 { gate.give(Data("x".utf8)) }
        #expect(try await first.source == .revalidated)
        #expect(try await second.source == .revalidated)
        #expect(origin.requests.count == 3)
    }

    @Test("a request with Cache-Control is validated separately")
    func directives() async throws {
        let clock = ShiftedClock()
        let gates = (0..<3).map { _ in HeldBody() }
        let origin = ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            guard number > 1 else { return .make(200, Self.stale, "stored", to: request) }
            _ = try await gates[number - 2].next()
            return .make(304, Self.stale, "", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        clock.advance(seconds: 10)
        let request = get("/a", [("Cache-Control", "no-cache")])
        let tasks = (0..<3).map { _ in Task { try await cache.text(request) } }
        try await eventually { origin.requests.count == 4 }
        for gate in gates { gate.give(Data("x".utf8)) }
        for task in tasks { #expect(try await task.value == "stored") }
    }
}
