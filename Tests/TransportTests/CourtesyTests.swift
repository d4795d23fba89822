import AirframeTransport
import Testing

@Suite("Letting others run first", .timeLimit(.minutes(1)))
struct CourtesyTests {
    /// How many of `count` occasions were used, when each took `nanoseconds`.
    private static func uses(_ courtesy: inout Courtesy, of count: Int, each nanoseconds: Int64) -> Int {
        var uses = 0
        for _ in 0..<count {
            courtesy.letOthersRun {
                uses += 1
                return nanoseconds
            }
        }
        return uses
    }

    @Test("happens at every occasion, as long as they give the core back soon")
    func quick() {
        var courtesy = Courtesy()
        #expect(Self.uses(&courtesy, of: 1000, each: 50_000) == 1000)
    }

    @Test("happens less and less often when they do not, but never stops")
    func slow() {
        var courtesy = Courtesy()
        // After 0, 1, 2, 4, … occasions that pass: 1 + 2 + 3 + 5 + 9 + 17 + 33 + 65 + 129.
        #expect(Self.uses(&courtesy, of: 264, each: 4_000_000) == 9)
        #expect(Self.uses(&courtesy, of: 2570, each: 4_000_000) == 10)
    }

    @Test("comes back when they do again")
    func recovery() {
        var courtesy = Courtesy()
        _ = Self.uses(&courtesy, of: 264, each: 4_000_000)
        // What is left of the last pause, and then each.
        #expect(Self.uses(&courtesy, of: 1000, each: 50_000) > 700)
        _ = Self.uses(&courtesy, of: 1, each: 4_000_000)
        #expect(Self.uses(&courtesy, of: 10, each: 50_000) == 9)
    }

    @Test("takes no time where nobody wants the core")
    func realYield() {
        #expect((0..<100).map { _ in Courtesy.yield() }.min() ?? .max < 2_000_000)
    }
}
