import AirframeConformance
import AirframeLayers
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("Hedged requests", .timeLimit(.minutes(1)))
struct HedgingTests {
    /// A transport that answers the first request after `slow` and all others after `fast`, on a virtual clock.
    private static func mock(_ first: Reply, then rest: Reply) -> MockTransport {
        MockTransport { Route("/**").reply(.sequence([first, rest])) }
    }

    @Test("a second attempt overtakes a slow response")
    func overtakes() async throws {
        let mock = Self.mock(.text("slow").delayed(by: .seconds(60)), then: .text("fast").delayed(by: .seconds(1)))
        let log = EventLog()
        let layer = HedgingLayer(mock, after: .fixed(.seconds(2)))
        #expect(try await layer.text(.to("http://api.test/").with { $0.events = log }) == "fast")
        #expect(mock.virtualClock.elapsed == .seconds(3))
        #expect(log.decisions.map { "\($0)" } == ["hedged(attempt: 2): there was no response after 2.0 seconds"])
        #expect(Set(log.exchanges).count == 2, "each attempt is a separate exchange")
        let cancellations = log.events.count { event in
            if case .failed(let error) = event.kind { error.isCancellation } else { false }
        }
        #expect(cancellations == 1, "the slow attempt is cancelled")
    }

    @Test("a response before the delay causes no second attempt")
    func fast() async throws {
        let mock = Self.mock(.text("first").delayed(by: .seconds(1)), then: .text("second"))
        let layer = HedgingLayer(mock, after: .fixed(.seconds(2)))
        #expect(try await layer.text(.to("http://api.test/")) == "first")
        #expect(mock.virtualClock.elapsed == .seconds(1))
    }

    @Test("the first attempt wins if it is answered before the second")
    func firstWins() async throws {
        let mock = Self.mock(.text("first").delayed(by: .seconds(3)), then: .text("second").delayed(by: .seconds(9)))
        let layer = HedgingLayer(mock, after: .fixed(.seconds(2)))
        #expect(try await layer.text(.to("http://api.test/")) == "first")
        #expect(mock.virtualClock.elapsed == .seconds(3))
    }

    @Test(
        "unsafe methods, one-shot bodies and upgrades are sent once",
        arguments: [
            (HTTPRequest.Method.post, false, false), (.put, false, false), (.delete, false, false),
            (.get, true, false), (.get, false, true),
        ]
    )
    func notHedged(method: HTTPRequest.Method, isOneShot: Bool, isUpgrade: Bool) {
        let layer = HedgingLayer(Self.mock(.text(""), then: .text("")), after: .fixed(.zero))
        let body = isOneShot ? RequestBody.sequence(AsyncStream<Data> { $0.finish() }) : .none
        var request = TransportRequest.to("http://api.test/", method: method, body: body)
        if isUpgrade { request.upgrade = .token("echo") }
        #expect(!layer.mustPerform(request))
        #expect(layer.mustPerform(.to("http://api.test/", body: .bytes(Data("x".utf8)))))
    }

    @Test("if one attempt fails, the request waits for the other")
    func oneFails() async throws {
        let mock = Self.mock(
            .fault(.resetBeforeHead).delayed(by: .seconds(3)), then: .text("second").delayed(by: .seconds(5)))
        let layer = HedgingLayer(mock, after: .fixed(.seconds(2)))
        #expect(try await layer.text(.to("http://api.test/")) == "second")
        #expect(mock.virtualClock.elapsed == .seconds(7))
    }

    @Test("if both attempts fail, the request fails; before the delay one failure is enough")
    func bothFail() async throws {
        let late = Self.mock(.fault(.resetBeforeHead).delayed(by: .seconds(3)), then: .fault(.resetBeforeHead))
        let error = await #expect(throws: TransportError.self) {
            _ = try await HedgingLayer(late, after: .fixed(.seconds(2))).send(.to("http://api.test/"))
        }
        #expect(error?.code == .connectionLost)
        let early = Self.mock(.fault(.resetBeforeHead), then: .text("never asked"))
        await #expect(throws: TransportError.self) {
            _ = try await HedgingLayer(early, after: .fixed(.seconds(2))).send(.to("http://api.test/"))
        }
        #expect(early.virtualClock.elapsed < .seconds(2))
    }

    @Test("the delay is a percentile of the response times once there are enough")
    func percentile() async throws {
        let mock = MockTransport {
            Route("/warm").reply(.text("").delayed(by: .seconds(1)))
            Route("/").reply(.sequence([.text("slow").delayed(by: .seconds(60)), .text("fast")]))
        }
        let layer = HedgingLayer(mock, after: .percentile(90, initial: .seconds(30)))
        for _ in 0..<HedgeDelay.minimumSamples { _ = try await layer.text(.to("http://api.test/warm")) }
        let before = mock.virtualClock.elapsed
        #expect(try await layer.text(.to("http://api.test/")) == "fast")
        #expect(mock.virtualClock.elapsed - before == .seconds(1))
    }

    @Test("a budget limits second attempts")
    func budget() async throws {
        let mock = MockTransport { Route("/").reply(.text("x").delayed(by: .seconds(10))) }
        let layer = HedgingLayer(
            mock, after: .fixed(.seconds(1)), budget: RetryBudget(capacity: 2, refillPerSecond: 0))
        for _ in 0..<4 { _ = try await layer.text(.to("http://api.test/")) }
        #expect(mock.requests(.get, "/").count == 6)
    }

    @Test("the deadline applies to both attempts, and cancelling ends both")
    func deadline() async throws {
        let mock = MockTransport { Route("/").reply(.text("x").delayed(by: .seconds(600))) }
        let layer = HedgingLayer(mock, after: .fixed(.seconds(1)))
        var request = TransportRequest.to("http://api.test/")
        request.options.deadline = .seconds(5)
        let error = await #expect(throws: TransportError.self) { _ = try await layer.send(request) }
        #expect(error?.isTimeout == true)
        #expect(mock.virtualClock.elapsed == .seconds(5))
        let task = Task { try await layer.send(.to("http://api.test/")) }
        task.cancel()
        await #expect(throws: TransportError.self) { _ = try await task.value }
    }

    @Test("the second connection answers, and the first is closed", arguments: TestedEngine.allCases)
    func engines(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            guard connection.index > 0 else {
                // Until the client closes.
                try connection.readToEnd()
                return
            }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond")
            try connection.readToEnd()
        }
        let layer = HedgingLayer(engine.transport, after: .fixed(.milliseconds(50)))
        let response = try await layer.send(.to(server.origin + "/"))
        #expect(String(decoding: try await response.body.collect(upTo: 10), as: UTF8.self) == "second")
        #expect(server.connections.count == 2)
        #expect(server.failures.isEmpty)
    }
}
