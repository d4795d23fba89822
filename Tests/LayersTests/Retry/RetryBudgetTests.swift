import AirframeCore
import AirframeLayers
import AirframeMock
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("A shared retry budget", .timeLimit(.minutes(1)))
struct RetryBudgetTests {
    @Test("limits the retries of several sessions together")
    func sessions() async throws {
        let mock = MockTransport { Route("/").reply(.status(503)) }
        let budget = RetryBudget(capacity: 3, refillPerSecond: 0)
        let sessions = (0..<3).map { _ in
            Session(transport: mock, interceptor: RetryPolicy(retryLimit: 2, budget: budget))
        }
        for session in sessions {
            _ = await session.request("http://api.test/").validate().serializingData().response
        }
        #expect(mock.requests(.get, "/").count == 6, "three requests and three retries")
    }

    @Test("is refilled over time up to its capacity")
    func refill() {
        let budget = RetryBudget(capacity: 2, refillPerSecond: 0.5)
        let at = { (second: Int64) in MonotonicInstant(nanoseconds: second * 1_000_000_000) }
        #expect(budget.withdraw(at: at(0)))
        #expect(budget.withdraw(at: at(0)))
        #expect(!budget.withdraw(at: at(1)))
        #expect(budget.tokens(at: at(1)) == 0.5)
        #expect(budget.withdraw(at: at(2)))
        #expect(budget.tokens(at: at(100)) == 2)
        #expect(budget.tokens(at: at(50)) == 2, "time does not go back")
    }
}
