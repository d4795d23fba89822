import AirframeConformance
import AirframeCurl
import AirframeTransport
import ConformanceEngines
import Testing

@Suite("The suite itself", .timeLimit(.minutes(1)))
struct SuiteTests {
    private let all = ConformanceSuite.cases + ConformanceSuite.layerCases

    @Test("every case has a unique name in its group and a title")
    func names() {
        #expect(Set(all.map(\.id)).count == all.count)
        for conformanceCase in all {
            #expect(conformanceCase.id.hasPrefix("\(conformanceCase.group.rawValue)."))
            #expect(!conformanceCase.title.isEmpty)
        }
        #expect(ConformanceGroup.allCases.allSatisfy { group in all.contains { $0.group == group } })
    }

    @Test("there are 82 faults, 69 for engines and 13 for layers")
    func faults() {
        #expect(ConformanceSuite.cases.count { $0.group == .fault } == 69)
        #expect(ConformanceSuite.layerCases.count { $0.group == .fault } == 13)
    }

    @Test(
        "an exclusion names an existing case and gives a reason",
        arguments: [CurlExclusions.all, MockExclusions.all, LayerExclusions.all]
    )
    func exclusions(_ exclusions: [String: String]) {
        #expect(ConformanceSuite.unknownIDs(in: exclusions).isEmpty)
        #expect(exclusions.values.allSatisfy { !$0.isEmpty })
    }

    @Test("an excluded case that passes is reported as stale")
    func stale() async throws {
        let conformanceCase = try #require(all.first { $0.id == "reuse.kept" })
        await withKnownIssue {
            await ConformanceSuite.expect(
                conformanceCase,
                over: { CurlTransport() },
                exclusions: [conformanceCase.id: "was broken once"]
            )
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("stale") }
        }
    }

    @Test("an excluded case that fails is not an issue")
    func excluded() async throws {
        let conformanceCase = try #require(all.first { $0.id == "upgrade.switching" })
        await ConformanceSuite.expect(
            conformanceCase,
            over: { CurlTransport() },
            exclusions: [conformanceCase.id: "libcurl has no two-way streams"]
        )
    }

    @Test("an engine that never answers fails in time")
    func silent() async throws {
        let conformanceCase = try #require(all.first { $0.id == "limits.first-byte" })
        let start = ContinuousClock.now
        let failures = await ConformanceSuite.run(conformanceCase) { silentTransport() }
        #expect(!failures.isEmpty)
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}

/// Never answers, and does not heed cancellation.
private func silentTransport() -> ClosureTransport {
    ClosureTransport(engine: "silent", features: CurlTransport().capabilities.features) { _ throws(TransportError) in
        await Task { try? await Task.sleep(for: .seconds(50)) }.value
        throw .cancelled(in: .pool, processing: .notSent)
    }
}
