import AirframeWire
import Testing

@Suite("Yielding the core to resumed tasks", .timeLimit(.minutes(1)))
struct CooperativeYieldTests {
    /// Returns how many of `count` opportunities were used, if each yield takes `nanoseconds`.
    private static func uses(_ yielding: inout CooperativeYield, of count: Int, each nanoseconds: Int64) -> Int {
        var uses = 0
        for _ in 0..<count {
            yielding.yieldIfQuick {
                uses += 1
                return nanoseconds
            }
        }
        return uses
    }

    @Test("happens at every opportunity while yields are short")
    func quick() {
        var yielding = CooperativeYield()
        #expect(Self.uses(&yielding, of: 1000, each: 50_000) == 1000)
    }

    @Test("backs off exponentially while yields are long, and never stops")
    func slow() {
        var yielding = CooperativeYield()
        // The pauses are 0, 1, 2, 4, … opportunities: 1 + 2 + 3 + 5 + 9 + 17 + 33 + 65 + 129.
        #expect(Self.uses(&yielding, of: 264, each: 4_000_000) == 9)
        #expect(Self.uses(&yielding, of: 2570, each: 4_000_000) == 10)
    }

    @Test("recovers when yields are short again")
    func recovery() {
        var yielding = CooperativeYield()
        _ = Self.uses(&yielding, of: 264, each: 4_000_000)
        // The rest of the last pause is skipped, then none.
        #expect(Self.uses(&yielding, of: 1000, each: 50_000) > 700)
        _ = Self.uses(&yielding, of: 1, each: 4_000_000)
        #expect(Self.uses(&yielding, of: 10, each: 50_000) == 9)
    }

    @Test("takes under 2 ms on a core that no other thread wants")
    func realYield() {
        #expect((0..<100).map { _ in CooperativeYield.yield() }.min() ?? .max < 2_000_000)
    }
}
