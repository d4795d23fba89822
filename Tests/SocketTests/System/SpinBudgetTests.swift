import Testing

@testable import AirframeSocket

@Suite("Which exchanges spin", .timeLimit(.minutes(1)))
struct SpinBudgetTests {
    @Test("an exchange beside another ends the spins, until eight in a row have begun alone")
    func solitude() {
        let budget = SpinBudget()
        #expect(budget.isWorthwhile())
        budget.noteExchange(isAlone: false)
        for _ in 0..<SpinBudget.solitude {
            #expect(!budget.isWorthwhile())
            budget.noteExchange(isAlone: true)
        }
        #expect(budget.isWorthwhile())
    }

    @Test("hits yield the thread whenever they have taken 2 ms")
    func yields() {
        let budget = SpinBudget()
        let hits = (0..<12).map { budget.recordHit(after: $0 < 8 ? SpinBudget.limit : SpinBudget.limit - 1) }
        #expect(hits.indices.filter { hits[$0] } == [3, 7])
    }

    @Test("misses skip the next spins")
    func misses() {
        let budget = SpinBudget()
        budget.recordMiss()
        #expect([budget.isWorthwhile(), budget.isWorthwhile()] == [false, true])
    }

    @Test("a hit that took too long yields the thread and skips the next spins")
    func slowHits() {
        let budget = SpinBudget()
        #expect(budget.recordHit(after: SpinBudget.limit + 1))
        #expect([budget.isWorthwhile(), budget.isWorthwhile()] == [false, true])
    }
}
