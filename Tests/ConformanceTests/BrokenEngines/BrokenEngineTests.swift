import AirframeConformance
import Testing

@Suite("The suite finds faults", .serialized, .timeLimit(.minutes(5)))
struct BrokenEngineTests {
    @Test("an engine with a fault fails", arguments: BrokenEngine.all)
    func finds(_ broken: BrokenEngine) async throws {
        for id in broken.caseIDs {
            let conformanceCase = try #require(ConformanceSuite.cases.first { $0.id == id }, "there is no case \(id)")
            #expect(
                await isNoticed(by: conformanceCase, broken),
                "\(id) does not notice an engine that \(broken.testDescription)"
            )
        }
    }

    /// Faults of time hide on a busy machine, which makes an engine that is too fast as slow as it ought to be: they
    /// are given three chances to show.
    private func isNoticed(by conformanceCase: ConformanceCase, _ broken: BrokenEngine) async -> Bool {
        for _ in 0..<3 {
            let failures = await ConformanceSuite.run(conformanceCase, over: broken.make)
            if !failures.isEmpty { return true }
        }
        return false
    }

    @Test("each group of cases has an engine that fails it", arguments: ConformanceGroup.allCases)
    func eachGroup(_ group: ConformanceGroup) {
        let groups = BrokenEngine.all.flatMap(\.caseIDs).map { $0.prefix { $0 != "." } }
        #expect(groups.contains { $0 == group.rawValue })
    }
}
