import AirframeMock
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Sequences and scenarios", .timeLimit(.minutes(1)))
struct ScenarioTests {
    @Test(
        "A sequence gives one reply after the other",
        arguments: [
            (Reply.SequenceEnd.repeatLast, [503, 500, 200, 200, 200]),
            (.startOver, [503, 500, 200, 503, 500]),
            (.fail, [503, 500, 200, nil, nil]),
        ])
    func sequence(end: Reply.SequenceEnd, statuses: [Int?]) async throws {
        let replies: [Reply] = [.status(.serviceUnavailable), .status(.internalServerError), .status(.ok)]
        let mock = MockTransport { Route(.get, "/").reply(.sequence(replies, then: end)) }
        for status in statuses {
            let got = try? await mock.status(.get("/"))
            #expect(got == status)
        }
    }

    @Test("A sequence can hold faults, closures and other sequences, and be delayed as a whole")
    func nested() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .sequence([
                    .fault(.connectionRefused),
                    .handler { .text("hit \($0.hit)") },
                    .sequence([.text("inner 1"), .text("inner 2")]),
                    .sequence([]),
                ]).delayed(by: .seconds(1))
            )
        }
        #expect(await mock.failure(of: .get("/"))?.code == .connectFailed)
        #expect(try await mock.text("/") == "hit 2")
        #expect(try await mock.text("/") == "inner 1")
        #expect(await mock.failure(of: .get("/"))?.message == "GET /: the sequence of 0 replies is used up")
        #expect(mock.virtualClock.elapsed == .seconds(2))
    }

    enum Outage { case down, up }

    @Test("Routes share a scenario: a request sees the changes of earlier ones")
    func scenario() async throws {
        let outage = Scenario("outage", startingAt: Outage.down)
        let mock = MockTransport {
            Route(.get, "/status").when(outage, is: .down).reply(.status(.serviceUnavailable))
            Route(.get, "/status").when(outage, is: .up).reply(.status(.ok))
            Route(.post, "/repair").when(outage, is: .down).moving(outage, to: .up).reply(.status(.noContent))
        }
        #expect(try await mock.status(.get("/status")) == 503)
        #expect(mock.state(of: outage) == .down)
        #expect(try await mock.status(.post("/repair", .none)) == 204)
        #expect(mock.state(of: outage) == .up)
        #expect(try await mock.status(.get("/status")) == 200)
        let error = await mock.failure(of: .post("/repair", .none))
        #expect(error?.message.contains("scenario  expected outage in down") == true)
        mock.move(outage, to: .down)
        #expect(try await mock.status(.get("/status")) == 503)
    }

    @Test("Of concurrent requests exactly one finds the old state")
    func atomic() async throws {
        let once = Scenario(startingAt: false)
        let first = Route(.get, "/").when(once, is: false).moving(once, to: true).reply(.status(.created))
        let mock = MockTransport {
            first
            Route(.get, "/")
        }
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 { group.addTask { try? await mock.status(.get("/")) } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 201 } == 1)
        #expect(statuses.count { $0 == 200 } == 99)
        #expect(mock.hitCount(of: first) == 1)
    }

    @Test("The same routes, sequences and scenarios in two mocks know nothing of each other")
    func valuesAreShared() async throws {
        let scenario = Scenario(startingAt: 0)
        let routes = [
            Route(.get, "/sequence").reply(.sequence([.text("1"), .text("2")])),
            Route(.get, "/scenario").when(scenario, is: 0).moving(scenario, to: 1),
        ]
        let mocks = [MockTransport { routes }, MockTransport { routes }]
        for mock in mocks {
            #expect(try await mock.text("/sequence") == "1")
            #expect(try await mock.text("/sequence") == "2")
            #expect(try await mock.text("/scenario") == "")
            #expect(mock.hitCount(of: routes[0]) == 2)
        }
    }

    @Test("A reset forgets requests, counts, sequences and scenarios, and keeps routes")
    func reset() async throws {
        let scenario = Scenario(startingAt: 0)
        let route = Route(.get, "/").moving(scenario, to: 1).reply(.sequence([.text("1"), .text("2")]))
        let mock = MockTransport { route }
        #expect(try await mock.text("/") == "1")
        mock.reset()
        #expect(mock.requests.isEmpty)
        #expect(mock.hitCount(of: route) == 0)
        #expect(mock.state(of: scenario) == 0)
        #expect(try await mock.text("/") == "1")
        #expect(mock.lastRequest?.index == 1)
    }

    /// The results of fifty requests with random replies.
    private func run(seed: UInt64) async throws -> [String] {
        var configuration = MockTransport.Configuration()
        configuration.seed = seed
        let mock = MockTransport(configuration: configuration) {
            Route(.get, "/any").reply(.random(of: [.text("a"), .text("b"), .text("c")]))
            Route(.get, "/flaky").reply(.sometimes(0.3, .status(503), otherwise: .status(200)))
            Route(.get, "/slow").reply(.text("x").delayed(by: .seconds(1)...(.seconds(3))))
        }
        var run: [String] = []
        for _ in 0..<50 {
            let before = mock.virtualClock.elapsed
            run.append(try await mock.text("/any"))
            run.append("\(try await mock.status(.get("/flaky")))")
            run.append(try await mock.text("/slow"))
            run.append("\(mock.virtualClock.elapsed - before)")
        }
        return run
    }

    @Test("The same seed gives the same run, another seed another one")
    func determinism() async throws {
        let first = try await run(seed: 1)
        #expect(try await run(seed: 1) == first)
        #expect(try await run(seed: 2) != first)
        #expect(Set(first).isSuperset(of: ["a", "b", "c", "200", "503"]))
    }

    @Test("Random draws of a route do not depend on concurrent requests of other routes")
    func drawsAreIndependent() async throws {
        func draws(asking others: Bool) async throws -> [String] {
            let mock = MockTransport {
                Route(.get, "/a").reply(.random(of: (0..<100).map { .text("\($0)") }))
                Route(.get, "/b").reply(.random(of: (0..<100).map { .text("\($0)") }))
            }
            var draws: [String] = []
            for _ in 0..<20 {
                draws.append(try await mock.text("/a"))
                if others { _ = try await mock.text("/b") }
            }
            return draws
        }
        #expect(try await draws(asking: true) == draws(asking: false))
    }

    @Test(
        "A probability of 0 never comes true, one of 1 always", arguments: [(0.0, 200), (1, 503), (-3, 200), (7, 503)])
    func certainties(probability: Double, status: Int) async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.sometimes(probability, .status(503), otherwise: .status(200)))
        }
        for _ in 0..<20 { #expect(try await mock.status(.get("/")) == status) }
    }
}
