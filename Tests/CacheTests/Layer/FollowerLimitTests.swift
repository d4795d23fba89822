import AirframeCache
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The limits of a request that waits for the response to another one", .timeLimit(.minutes(1)))
struct FollowerLimitTests {
    /// A limit of two seconds.
    enum Limit: String, CaseIterable, Sendable {
        case deadline, startedDeadline, phase

        static let deadlines = [deadline, startedDeadline]

        /// Returns a request with the limit, on the first byte of the response and on pauses in it.
        func request(_ clock: VirtualClock) -> TransportRequest {
            var request = get()
            switch self {
            case .deadline: request.options.deadline = .seconds(2)
            case .startedDeadline: request.deadline = clock.now.advanced(by: .seconds(2))
            case .phase:
                request.options.limits.firstByte = .seconds(2)
                request.options.limits.readIdle = .seconds(2)
            }
            return request
        }

        func message(_ phase: String) -> String {
            self == .phase ? phase : "the exchange did not end within its deadline of 2 s"
        }
    }

    private static let fresh = [("Cache-Control", "max-age=60")]
    private static let stale = [("Cache-Control", "max-age=1"), ("ETag", "\"1\"")]

    /// A server that sends its response number `held` only when the gate opens.
    private static func origin(
        _ clock: VirtualClock, _ gate: HeldBody, holding held: Int = 1, _ fields: [(String, String)] = fresh
    ) -> ScriptedOrigin {
        ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            if number == held { _ = try await gate.next() }
            return .make(200, fields, "answer \(number)", to: request)
        }
    }

    /// The error of a request that waits for another one, after two seconds.
    private static func failure(
        of request: TransportRequest, _ cache: CacheLayer, _ clock: VirtualClock
    ) async throws -> TransportError? {
        let follower = Task { try await cache.text(request) }
        try await eventually { clock.sleeperCount == 1 }
        await clock.advance(by: .milliseconds(1999))
        #expect(clock.sleeperCount == 1)
        await clock.advance(by: .milliseconds(1))
        return await #expect(throws: TransportError.self) { try await follower.value }
    }

    @Test("end its wait for the head", arguments: Limit.deadlines)
    func head(limit: Limit) async throws {
        let (clock, gate) = (VirtualClock(.manual), HeldBody())
        let origin = Self.origin(clock, gate)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 1 }
        let error = try await Self.failure(of: limit.request(clock), cache, clock)
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .responseHead)
        #expect(error?.message == limit.message("no byte of a response arrived within 2 s"))
        #expect(error?.origin == Origin(scheme: "http", host: "api.test"))
        gate.give(Data("x".utf8))
        #expect(try await leader.value == "answer 1")
        #expect(origin.requests.count == 1)
    }

    @Test("on the first byte let it be sent by itself: the other request may still wait for a connection")
    func firstByte() async throws {
        let (clock, gate) = (VirtualClock(.manual), HeldBody())
        let origin = Self.origin(clock, gate)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 1 }
        let follower = Task { try await cache.text(Limit.phase.request(clock)) }
        try await eventually { clock.sleeperCount == 1 }
        await clock.advance(by: .seconds(2))
        #expect(try await follower.value == "answer 2")
        gate.give(Data("x".utf8))
        #expect(try await leader.value == "answer 1")
    }

    @Test("end its wait for a validation", arguments: Limit.deadlines)
    func validation(limit: Limit) async throws {
        let (clock, gate) = (VirtualClock(.manual), HeldBody())
        let origin = Self.origin(clock, gate, holding: 2, Self.stale)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.text(get()) == "answer 1")
        await clock.advance(by: .seconds(10))
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 2 }
        let error = try await Self.failure(of: limit.request(clock), cache, clock)
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .responseHead)
        gate.give(Data("x".utf8))
        #expect(try await leader.value == "answer 2")
    }

    @Test("end its wait for content, which the other request then gets as before", arguments: Limit.allCases)
    func content(limit: Limit) async throws {
        let (clock, body) = (VirtualClock(.manual), HeldBody())
        let origin = ScriptedOrigin(clock: clock) { request, _ in
            TransportResponse(head: .make(200, Self.fresh), body: ResponseBody(body), request: request.head)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = try await cache.send(get())
        let follower = try await cache.send(limit.request(clock))
        body.give(Data("ab".utf8))
        #expect(try await leader.body.next() == Data("ab".utf8))
        #expect(try await follower.body.next() == Data("ab".utf8))
        let reader = Task { try await follower.body.next() }
        try await eventually { clock.sleeperCount == 1 }
        await clock.advance(by: .seconds(2))
        let error = await #expect(throws: TransportError.self) { try await reader.value }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .responseBody)
        #expect(error?.message == limit.message("no further byte of the response arrived for 2 s"))
        body.give(Data("c".utf8))
        body.give(nil)
        #expect(try await leader.body.collect(upTo: 10) == Data("c".utf8))
        #expect(try await cache.text(get()) == "abc")
        #expect(origin.requests.count == 1)
    }

    @Test("keep it from reading content that stricter limits of the other request may end", arguments: Limit.allCases)
    func stricterLeader(limit: Limit) async throws {
        let (clock, bodies) = (VirtualClock(.manual), [HeldBody(), HeldBody()])
        let cache = Self.streaming(clock, bodies)
        let leader = try await cache.send(limit.request(clock))
        let follower = try await cache.send(get())
        for (number, response) in [leader, follower].enumerated() {
            bodies[number].give(Data("\(number)".utf8))
            bodies[number].give(nil)
            #expect(try await response.body.collect(upTo: 10) == Data("\(number)".utf8))
        }
    }

    @Test(
        "let it read the content of a request with equal limits, unless less than half of the time is left to that one",
        arguments: Limit.allCases, [(900, true), (1500, false)])
    func equalLimits(limit: Limit, later: (Int, Bool)) async throws {
        let (milliseconds, isShared) = later
        let (clock, bodies) = (VirtualClock(.manual), [HeldBody(), HeldBody()])
        let cache = Self.streaming(clock, bodies)
        let leader = try await cache.send(limit.request(clock))
        await clock.advance(by: .milliseconds(milliseconds))
        let follower = try await cache.send(limit.request(clock))
        for (number, body) in bodies.enumerated() {
            body.give(Data("\(number)".utf8))
            body.give(nil)
        }
        #expect(try await leader.body.collect(upTo: 10) == Data("0".utf8))
        // A limit on pauses has no end that comes nearer.
        let expected = isShared || limit == .phase ? "0" : "1"
        #expect(try await follower.body.collect(upTo: 10) == Data(expected.utf8))
    }

    /// A cache over a server whose responses stream.
    private static func streaming(_ clock: VirtualClock, _ bodies: [HeldBody]) -> CacheLayer {
        let origin = ScriptedOrigin(clock: clock) { request, number in
            TransportResponse(
                head: .make(200, fresh), body: ResponseBody(bodies[number - 1]), request: request.head)
        }
        return CacheLayer(origin, store: MemoryCacheStore())
    }

    @Test(
        "are its own, as are its options and its connection: it is sent by itself if those of the other request fail",
        arguments: [
            (.unsupportedOption, .options), (.tlsFailed, .tls), (.connectFailed, .connect),
            (.connectionLost, .responseHead),
        ] as [(TransportError.Code, TransportPhase)],
        [false, true])
    func optionsOfLeader(failure: (TransportError.Code, TransportPhase), isStale: Bool) async throws {
        let (clock, gate) = (VirtualClock(.manual), HeldBody())
        let (code, phase) = failure
        let failing = isStale ? 2 : 1
        let origin = ScriptedOrigin(clock: clock) { request, number throws(TransportError) in
            if number == failing {
                _ = try await gate.next()
                throw TransportError(code, phase: phase, processing: .notSent, message: "refused")
            }
            return .make(200, Self.stale, "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        if isStale {
            _ = try await cache.text(get())
            await clock.advance(by: .seconds(10))
        }
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == failing }
        // The limit shows that the request waits.
        let follower = Task { try await cache.text(Limit.deadline.request(clock)) }
        try await eventually { clock.sleeperCount == 1 }
        gate.give(Data("x".utf8))
        #expect(try await follower.value == "answer \(failing + 1)")
        await #expect(throws: TransportError.self) { try await leader.value }
    }

    @Test("do not outlive its waits: a response in time leaves no timer")
    func inTime() async throws {
        let (clock, body) = (VirtualClock(.manual), HeldBody())
        let gate = HeldBody()
        let origin = ScriptedOrigin(clock: clock) { request, _ throws(TransportError) in
            _ = try await gate.next()
            return TransportResponse(head: .make(200, Self.fresh), body: ResponseBody(body), request: request.head)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 1 }
        let follower = Task { try await cache.text(Limit.phase.request(clock)) }
        try await eventually { clock.sleeperCount == 1 }
        gate.give(Data("x".utf8))
        for piece in ["a", "b", "c"] {
            // The wait for the content follows that for the head.
            try await eventually { clock.sleeperCount == 1 }
            body.give(Data(piece.utf8))
        }
        body.give(nil)
        #expect(try await leader.value == "abc")
        #expect(try await follower.value == "abc")
        try await eventually { clock.sleeperCount == 0 }
        #expect(origin.requests.count == 1)
    }

    @Test("do not delay its cancellation")
    func cancellation() async throws {
        let (clock, gate) = (VirtualClock(.manual), HeldBody())
        let origin = Self.origin(clock, gate)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 1 }
        let follower = Task { try await cache.text(Limit.phase.request(clock)) }
        try await eventually { clock.sleeperCount == 1 }
        follower.cancel()
        let error = await #expect(throws: TransportError.self) { try await follower.value }
        #expect(error?.code == .cancelled)
        try await eventually { clock.sleeperCount == 0 }
        gate.give(Data("x".utf8))
        #expect(try await leader.value == "answer 1")
    }

    @Test("have elapsed for a deadline in the past, and then nothing is sent")
    func past() async throws {
        let (clock, gate) = (VirtualClock(.manual), HeldBody())
        let origin = Self.origin(clock, gate)
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let leader = Task { try await cache.text(get()) }
        try await eventually { origin.requests.count == 1 }
        let late = get().with { $0.deadline = clock.now }
        let error = await #expect(throws: TransportError.self) { try await cache.text(late) }
        #expect(error?.code == .timedOut)
        #expect(error?.processing == .notSent)
        gate.give(Data("x".utf8))
        #expect(try await leader.value == "answer 1")
        #expect(origin.requests.count == 1)
    }
}
