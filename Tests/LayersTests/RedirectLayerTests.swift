import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

/// Answers `/n` with a redirect to `/n+1`, up to a last one.
private func chain(of count: Int) -> ScriptedTransport {
    ScriptedTransport { request in
        let step = Int(request.head.path?.dropFirst() ?? "") ?? 0
        return step < count ? .redirect(302, to: "/\(step + 1)", from: request) : .ok(request)
    }
}

@Suite("The redirect layer", .timeLimit(.minutes(1)))
struct RedirectLayerTests {
    @Test("gives each hop a new exchange, and reports a redirect in the exchange that it answers")
    func hopsAreExchanges() async throws {
        let log = EventLog()
        let base = chain(of: 2)
        var request = TransportRequest.to("http://api.test/0")
        request.events = log
        _ = try await RedirectLayer(base).send(request)
        let exchanges = base.requests.map(\.exchange)
        #expect(exchanges.count == 3 && Set(exchanges).count == 3)
        #expect(exchanges.first == request.exchange)
        #expect(log.exchanges == Array(exchanges.dropLast()))
    }

    @Test("follows as many redirects as its limit allows", arguments: [(0, 0), (1, 1), (20, 20), (3, 20)])
    func withinLimit(count: Int, limit: Int) async throws {
        let base = chain(of: count)
        let response = try await RedirectLayer(base, limit: limit).send(.to("http://api.test/"))
        #expect(response.head.status == .ok)
        #expect(base.requests.count == count + 1)
    }

    @Test("fails at one more", arguments: [0, 1, 20, -1])
    func beyondLimit(limit: Int) async throws {
        let base = chain(of: 100)
        let log = EventLog()
        var request = TransportRequest.to("http://api.test/")
        request.events = log
        let error = await #expect(throws: TransportError.self) {
            try await RedirectLayer(base, limit: limit).send(request)
        }
        #expect(error?.code == .tooManyRedirects)
        #expect(error?.message.contains("more than \(limit) redirects") == true)
        #expect(base.requests.count == max(0, limit) + 1)
        #expect(log.words.last == "failed: tooManyRedirects")
    }

    @Test("does not count a redirect that is declined")
    func declinedAtLimit() async throws {
        var request = TransportRequest.to("http://api.test/")
        request[RedirectDecision.self] = { _, _ in nil }
        let response = try await RedirectLayer(chain(of: 1), limit: 0).send(request)
        #expect(response.head.status == .found)
    }

    @Test("ends a loop at its limit")
    func loop() async {
        let base = ScriptedTransport { .redirect(302, to: "#again", from: $0) }
        let error = await #expect(throws: TransportError.self) {
            try await RedirectLayer(base).send(.to("http://api.test/"))
        }
        #expect(error?.code == .tooManyRedirects)
        #expect(base.requests.count == 21)
    }

    @Test("reports each redirect that it follows, with its reason")
    func events() async throws {
        let log = EventLog()
        var request = TransportRequest.to("http://api.test/")
        request.events = log
        let response = try await RedirectLayer(chain(of: 2)).send(request)
        #expect(log.words == ["followed 302 to GET /1 (status 302)", "followed 302 to GET /2 (status 302)"])
        #expect(response.request.path == "/2", "the response names the last request")
    }

    @Test("reads a small body to its end, so that the connection can be used again", arguments: [0, 1, 64])
    func smallBody(chunks: Int) async throws {
        let body = CountedBody(chunks: chunks)
        try await Self.follow(ResponseBody(body))
        #expect(body.reads == chunks + 1)
        #expect(body.cancellations == 0)
    }

    @Test("cancels a body that exceeds 64 KiB")
    func largeBody() async throws {
        let body = CountedBody(chunks: .max)
        try await Self.follow(ResponseBody(body))
        #expect(body.reads == 65)
        #expect(body.cancellations == 1)
    }

    @Test("reads nothing of a body whose announced length exceeds 64 KiB")
    func announcedBody() async throws {
        let body = CountedBody(chunks: .max)
        try await Self.follow(ResponseBody(body, expectedLength: 65 << 10))
        #expect(body.reads == 0)
        #expect(body.cancellations == 1)
    }

    @Test("follows a redirect whose body fails: the head has the target")
    func brokenBody() async throws {
        let lost = TransportError(.connectionLost, phase: .responseBody, processing: .unknown, message: "gone")
        let body = CountedBody(chunks: 1, then: lost)
        try await Self.follow(ResponseBody(body))
        #expect(body.reads == 2)
    }

    @Test("ends if the caller cancels while a body is read")
    func cancelledInBody() async throws {
        let body = CountedBody(chunks: 1, then: .cancelled(in: .responseBody, processing: .unknown))
        let base = ScriptedTransport { .redirect(302, to: "/next", body: ResponseBody(body), from: $0) }
        let error = await #expect(throws: TransportError.self) {
            try await RedirectLayer(base).send(.to("http://api.test/"))
        }
        #expect(error?.isCancellation == true)
        #expect(base.requests.count == 1)
    }

    @Test("ends if the caller cancels during a redirect decision")
    func cancelledInDecision() async throws {
        let base = chain(of: 1)
        var request = TransportRequest.to("http://api.test/")
        request[RedirectDecision.self] = { _, next in
            withUnsafeCurrentTask { $0?.cancel() }
            return RedirectedRequest(next)
        }
        let sending = Task { [request] in _ = try await RedirectLayer(base).send(request) }
        let error = await #expect(throws: TransportError.self) { try await sending.value }
        #expect(error?.isCancellation == true)
        #expect(error?.phase == .layer)
        #expect(base.requests.count == 1)
    }

    @Test("throws the errors of the transport beneath")
    func errors() async {
        let base = ScriptedTransport { request throws(TransportError) in
            guard request.head.path == "/" else {
                throw TransportError(.connectFailed, phase: .connect, processing: .notSent, message: "refused")
            }
            return .redirect(302, to: "/next", from: request)
        }
        let error = await #expect(throws: TransportError.self) {
            try await RedirectLayer(base).send(.to("http://api.test/"))
        }
        #expect(error?.code == .connectFailed)
        #expect(error?.processing == .unknown, "the first server has acted, if not the second")
        #expect(base.requests.count == 2)
    }

    @Test("applies the request's deadline to all redirects together")
    func deadline() async throws {
        let clock = StillClock()
        let base = ScriptedTransport(clock: clock) { request in
            clock.advance(by: .seconds(4))
            return .redirect(302, to: "/next", from: request)
        }
        var request = TransportRequest.to("http://api.test/")
        request.options.deadline = .seconds(10)
        let error = await #expect(throws: TransportError.self) { try await RedirectLayer(base).send(request) }
        #expect(error?.isTimeout == true)
        let end = MonotonicInstant(nanoseconds: 10_000_000_000)
        #expect(base.requests.map(\.deadline) == [end, end, end])
    }

    @Test("forwards everything else to the transport beneath")
    func passesOn() async {
        let clock = StillClock()
        let base = ScriptedTransport(engine: "beneath", clock: clock) { .ok($0) }
        let layer = RedirectLayer(base)
        #expect(layer.capabilities == base.capabilities)
        #expect(layer.clock is StillClock)
        #expect(layer.limit == 20)
        await layer.shutdown()
        #expect(base.shutdownCount == 1)
    }

    private static func follow(_ body: ResponseBody) async throws {
        let isFirst = Mutex(true)
        let base = ScriptedTransport { request in
            let wasFirst = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return wasFirst ? .redirect(302, to: "/next", body: body, from: request) : .ok(request)
        }
        let response = try await RedirectLayer(base).send(.to("http://api.test/"))
        #expect(response.head.status == .ok)
    }
}
