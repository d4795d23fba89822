public import Testing

extension ConformanceSuite {
    /// Expects that an engine passes a case. Deviations are recorded as issues of the current test.
    ///
    /// An excluded case is run as well. If it passes, an issue reports that its exclusion is stale.
    ///
    /// A case of a level that the engine does not claim is skipped; see ``ConformanceEngine/claims``.
    ///
    /// - Parameters:
    ///   - conformanceCase: The case.
    ///   - engine: The engine.
    ///   - exclusions: The ids of cases that the engine cannot pass, each with the reason.
    ///   - sourceLocation: The location of issues.
    public static func expect(
        _ conformanceCase: ConformanceCase,
        on engine: ConformanceEngine,
        exclusions: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        guard conformanceCase.levels.isSubset(of: engine.claims) else { return }
        let failures = await run(conformanceCase, on: engine)
        guard let reason = exclusions[conformanceCase.id] else {
            for failure in failures { Issue.record("\(failure)", sourceLocation: sourceLocation) }
            return
        }
        if failures.isEmpty {
            Issue.record(
                "\(conformanceCase.id) passes: its exclusion (\(reason)) is stale",
                sourceLocation: sourceLocation
            )
        }
    }

    /// Expects that the transports that a closure makes pass a case; see
    /// ``expect(_:on:exclusions:sourceLocation:)``.
    ///
    /// - Parameters:
    ///   - conformanceCase: The case.
    ///   - make: Creates a transport.
    ///   - exclusions: The ids of cases that the engine cannot pass, each with the reason.
    ///   - sourceLocation: The location of issues.
    public static func expect(
        _ conformanceCase: ConformanceCase,
        over make: @escaping ConformanceEngine.Make,
        exclusions: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await expect(
            conformanceCase,
            on: ConformanceEngine(make),
            exclusions: exclusions,
            sourceLocation: sourceLocation
        )
    }
}
