import AirframeCache
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Requests for a resource whose last response could not be shared", .timeLimit(.minutes(1)))
struct IndependentRequestTests {
    /// Fields of responses that concurrent requests cannot share.
    private static let unshared: [[(String, String)]] = [
        [], [("Cache-Control", "no-store")], [("Cache-Control", "max-age=60"), ("Vary", "*")],
    ]

    /// A server whose responses after the first `count` wait for the gate.
    private static func origin(
        _ clock: VirtualClock, _ gate: HeldBody, after count: Int, _ fields: [(String, String)]
    ) -> ScriptedOrigin {
        ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            if number > count { _ = try await gate.next() }
            return .make(200, fields, "answer \(number)", to: request)
        }
    }

    /// A request with a deadline, whose timer shows that it waits for another request.
    private static func limited() -> TransportRequest { get().with { $0.options.deadline = .seconds(5) } }

    @Test("are sent without waiting for one another", arguments: unshared)
    func sent(fields: [(String, String)]) async throws {
        let (clock, gates) = (VirtualClock(.manual), (0..<2).map { _ in HeldBody() })
        let origin = ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            if number > 1 { _ = try await gates[number - 2].next() }
            return .make(200, fields, "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.text(get()) == "answer 1")
        let tasks = (0..<2).map { _ in Task { try await cache.text(get()) } }
        try await eventually { origin.requests.count == 3 }
        for gate in gates { gate.give(Data("x".utf8)) }
        for task in tasks { #expect(try await task.value.hasPrefix("answer")) }
    }

    @Test("wait again two minutes later, and for another resource")
    func expiry() async throws {
        let (clock, gate) = (VirtualClock(.manual), HeldBody())
        let origin = Self.origin(clock, gate, after: 1, [])
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        _ = try await cache.text(get())
        await clock.advance(by: .seconds(120))
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 2 }
        let follower = Task { try await cache.text(Self.limited()) }
        try await eventually { clock.sleeperCount == 1 }
        #expect(origin.requests.count == 2)
        for _ in 0..<2 { gate.give(Data("x".utf8)) }
        #expect(try await leader.value == "answer 2")
        #expect(try await follower.value == "answer 3")
        let other = Task { try await cache.text(get("/b")) }
        try await eventually { origin.requests.count == 4 }
        let second = Task { try await cache.text(get("/b").with { $0.options.deadline = .seconds(5) }) }
        try await eventually { clock.sleeperCount == 1 }
        for _ in 0..<2 { gate.give(Data("x".utf8)) }
        #expect(try await other.value == "answer 4")
        #expect(try await second.value == "answer 5")
    }

    @Test("do not wait for a validation either, once a request could not use the response that it waited for")
    func validation() async throws {
        let (clock, bodies, gates) = (VirtualClock(.manual), [HeldBody(), HeldBody()], [HeldBody(), HeldBody()])
        let origin = ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            let head = HTTPResponse.make(200, [("Cache-Control", "no-cache"), ("ETag", "\"\(number)\"")])
            if number <= 2 {
                return TransportResponse(head: head, body: ResponseBody(bodies[number - 1]), request: request.head)
            }
            _ = try await gates[number - 3].next()
            return TransportResponse(head: head, body: ResponseBody(Data("x".utf8)), request: request.head)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        // The content of the first response is still being read when the second request arrives.
        let responses = [try await cache.send(get()), try await cache.send(get())]
        for (number, response) in responses.enumerated() {
            bodies[number].give(Data("\(number)".utf8))
            bodies[number].give(nil)
            #expect(try await response.body.collect(upTo: 10) == Data("\(number)".utf8))
        }
        let tasks = (0..<2).map { _ in Task { try await cache.text(get()) } }
        try await eventually { origin.requests.count == 4 }
        for gate in gates { gate.give(Data("x".utf8)) }
        for task in tasks { #expect(try await task.value == "x") }
    }

    @Test("are many: the table keeps the last of each place, and later requests share fresh responses")
    func many() async throws {
        let origin = ScriptedOrigin { request, number in
            let isFresh = request.head.path == "/fresh"
            return .make(200, isFresh ? [("Cache-Control", "max-age=60")] : [], "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for number in 0..<1_000 { _ = try await cache.text(get("/\(number)")) }
        #expect(try await cache.text(get("/fresh")) == "answer 1001")
        #expect(try await cache.text(get("/fresh")) == "answer 1001")
    }
}
