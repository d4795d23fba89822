import AirframeWire
import Testing

@Suite("When the poll is lent and taken back", .timeLimit(.minutes(1)))
struct LoanWatchTests {
    /// Checks a loan after each tick. Returns the number of the tick at which it is taken back.
    private static func ticks(of loan: inout LoanWatch, _ progress: [(hasPolled: Bool, hasMoved: Bool)]) -> Int? {
        loan.begin(at: 0)
        for (index, progress) in progress.enumerated()
        where loan.look(at: Int64(index + 1) * LoanWatch.tick, { progress }) {
            return index + 1
        }
        return nil
    }

    @Test("a pool that neither polls nor advances an exchange keeps the loan for one tick")
    func idlePool() {
        var watch = LoanWatch()
        #expect(Self.ticks(of: &watch, [(false, false)]) == 1)
        #expect(Self.ticks(of: &watch, [(true, true), (true, false), (false, false)]) == 3)
    }

    @Test("a pool that advances exchanges without polling keeps the loan for 15 ticks; each poll restarts the count")
    func busyPool() {
        var watch = LoanWatch()
        let moving = [(hasPolled: Bool, hasMoved: Bool)](repeating: (false, true), count: 20)
        #expect(Self.ticks(of: &watch, moving) == 15)
        #expect(Self.ticks(of: &watch, moving.prefix(14) + [(true, true)] + moving) == 30)
    }

    @Test("the thread does not check before a tick has passed")
    func early() {
        var watch = LoanWatch()
        watch.begin(at: 0)
        let mustTakeBack = watch.look(at: LoanWatch.tick - 1) {
            Issue.record("asked too early")
            return (false, false)
        }
        #expect(!mustTakeBack)
    }

    @Test("after loans that were taken back, 1, 2, 4 … 256 occasions are skipped; each used loan halves the number")
    func pauses() {
        var watch = LoanWatch()
        let lengths = (0..<10).map { _ in
            watch.wasNotServed()
            return Self.pause(&watch)
        }
        #expect(lengths == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256])
        for _ in 0..<5 { watch.wasServed() }
        watch.wasNotServed()
        #expect(Self.pause(&watch) == 8)
    }

    private static func pause(_ watch: inout LoanWatch) -> Int {
        for count in 0..<1_000 where watch.isWorthwhile() { return count }
        return .max
    }
}
