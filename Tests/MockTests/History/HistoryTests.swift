import AirframeMock
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("The history of a mock", .timeLimit(.minutes(1)))
struct HistoryTests {
    @Test("Requests are recorded in order, each with the route that answered")
    func history() async throws {
        let users = Route(.get, "/users/:id").named("user")
        let mock = MockTransport {
            users
            Route(.post, "/login")
            Route(.delete, "/never")
        }
        _ = try await mock.fetch(.get("/users/7?full=1", [.accept: "text/html"]))
        try await mock.clock.sleep(for: .seconds(5))
        _ = try await mock.fetch(.post("/login", .bytes(Data(#"{"name":"ada"}"#.utf8))))
        _ = await mock.failure(of: .get("/nowhere"))
        _ = try await mock.fetch(.get("/users/8"))

        #expect(
            mock.requests.map(\.description) == [
                "GET http://api.test/users/7?full=1", "POST http://api.test/login", "GET http://api.test/nowhere",
                "GET http://api.test/users/8",
            ])
        #expect(mock.requests.map(\.index) == [0, 1, 2, 3])
        #expect(mock.requests.map(\.routeName) == ["user", "POST /login", nil, "user"])
        #expect(mock.requests.map(\.hit) == [1, 1, 0, 2])
        #expect(mock.requests(to: users).map { $0.captures["id"] } == ["7", "8"])
        #expect(mock.requests(toRouteNamed: "user").count == 2)
        #expect(mock.requests(.get, "/users/*").count == 2)
        #expect(mock.requests(matching: Route("**").when(header: .accept)).count == 1)
        #expect(mock.requests[0].query("full") == "1")
        #expect(mock.requests[0].url?.host() == "api.test")
        #expect(mock.requests[1].json?["name"] == "ada")
        #expect(mock.requests[1].instant == MonotonicInstant(nanoseconds: 5_000_000_000))
        #expect(mock.hitCount(of: users) == 2)
        #expect(mock.unusedRoutes.map(\.name) == ["DELETE /never"])
    }

    struct ExpectationCase: Sendable, CustomTestStringConvertible {
        let expectation: HitExpectation
        let counts: [Int: Bool]
        var testDescription: String { expectation.description }
    }

    static let expectations = [
        ExpectationCase(expectation: .once, counts: [0: false, 1: true, 2: false]),
        ExpectationCase(expectation: .never, counts: [0: true, 1: false]),
        ExpectationCase(expectation: .exactly(2), counts: [1: false, 2: true, 3: false]),
        ExpectationCase(expectation: .atLeast(2), counts: [1: false, 2: true, 3: true]),
        ExpectationCase(expectation: .atMost(1), counts: [0: true, 1: true, 2: false]),
    ]

    @Test("An unexpected number of requests to a route fails the verification", arguments: expectations)
    func verify(test: ExpectationCase) async throws {
        for (count, isMet) in test.counts {
            let mock = MockTransport { Route(.get, "/x").expected(test.expectation) }
            for _ in 0..<count { _ = try await mock.fetch(.get("/x")) }
            if isMet {
                try mock.verify()
            } else {
                let error = #expect(throws: MockVerificationError.self) { try mock.verify() }
                let description = "GET /x was expected \(test.expectation) and was requested \(count) times"
                #expect(error?.description == description)
            }
        }
    }

    @Test("A request that matches no route fails the verification with its difference")
    func verifyUnmatched() async throws {
        let mock = MockTransport { Route(.get, "/x") }
        _ = await mock.failure(of: .get("/y"))
        let error = #expect(throws: MockVerificationError.self) { try mock.verify() }
        #expect(error?.failures.count == 1)
        #expect(error?.description.contains("path      expected /x") == true)
    }
}
