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

    @Test("each eighth hit yields the thread")
    func yields() {
        let budget = SpinBudget()
        let hits = (0..<24).map { _ in budget.recordHit() }
        #expect(hits.indices.filter { hits[$0] } == [7, 15, 23])
    }

    @Test("misses skip the next spins")
    func misses() {
        let budget = SpinBudget()
        budget.recordMiss()
        #expect([budget.isWorthwhile(), budget.isWorthwhile()] == [false, true])
    }
}
