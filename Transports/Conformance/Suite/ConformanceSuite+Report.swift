internal import AirframeTransport

extension ConformanceSuite {
    /// Runs the suite over an engine, in this process, one case after another.
    ///
    /// An engine that traps ends the process: ``ConformanceCommand`` runs the cases in their own processes.
    ///
    /// - Parameters:
    ///   - engine: The engine and the levels that it claims. Cases of other levels are skipped.
    ///   - cases: The cases.
    ///   - exclusions: Further cases to skip: their ids, each with the reason.
    ///   - wait: The longest wait for one thing that must happen. Longer waits of the suite are scaled with it.
    ///   - budget: The time for the whole run. Cases that it does not suffice for fail.
    ///   - progress: Receives each result as it becomes known.
    /// - Returns: The results, with their scores.
    public static func report(
        on engine: ConformanceEngine,
        cases: [ConformanceCase] = ConformanceSuite.cases,
        exclusions: [String: String] = [:],
        waiting wait: Duration = .seconds(2),
        within budget: Duration = .seconds(270),
        progress: @Sendable (ConformanceResult) -> Void = { _ in }
    ) async -> ConformanceReport {
        let start = ContinuousClock.now
        let profile: EngineProfile
        do {
            profile = try EngineProfile(engine)
        } catch {
            let reason = "the engine cannot be made: \(error)"
            let results = cases.map { ConformanceResult($0, .failed, reasons: [reason]) }
            return ConformanceReport(EngineProfile(unknown: reason), results: results, wait: wait, took: .zero)
        }
        var results: [ConformanceResult] = []
        for conformanceCase in cases {
            let result: ConformanceResult
            if ContinuousClock.now - start < budget {
                result = await Self.result(
                    of: conformanceCase, on: engine, profile, exclusions: exclusions, waiting: wait)
            } else {
                result = notRun(conformanceCase, profile, exclusions: exclusions, budget)
            }
            results.append(result)
            progress(result)
        }
        return ConformanceReport(profile, results: results, wait: wait, took: ContinuousClock.now - start)
    }

    /// Runs the suite over transports that a closure makes; see
    /// ``report(on:cases:exclusions:waiting:within:progress:)``.
    public static func report(
        over make: @escaping ConformanceEngine.Make,
        claiming claims: Set<ConformanceLevel>
    ) async -> ConformanceReport {
        await report(on: ConformanceEngine(claiming: claims, make))
    }

    /// Runs a case, unless the engine does not claim the examined feature.
    static func result(
        of conformanceCase: ConformanceCase,
        on engine: ConformanceEngine,
        _ profile: EngineProfile,
        exclusions: [String: String],
        waiting wait: Duration
    ) async -> ConformanceResult {
        if let reason = profile.reasonToSkip(conformanceCase, exclusions: exclusions) {
            return ConformanceResult(conformanceCase, .skipped, reasons: [reason])
        }
        let start = ContinuousClock.now
        let finding = await Waiting.$scale.withValue(wait / Waiting.usual) {
            await examine(conformanceCase, on: engine)
        }
        let elapsed = ContinuousClock.now - start
        switch finding {
        case .failures(let failures) where failures.isEmpty:
            return ConformanceResult(conformanceCase, .passed, took: elapsed)
        case .failures(let failures):
            return ConformanceResult(conformanceCase, .failed, reasons: failures.map(\.message), took: elapsed)
        case .inexpressible(let reason):
            return ConformanceResult(conformanceCase, .skipped, reasons: [reason], took: elapsed)
        }
    }

    /// The result of a case for which no time was left.
    static func notRun(
        _ conformanceCase: ConformanceCase,
        _ profile: EngineProfile,
        exclusions: [String: String],
        _ budget: Duration
    ) -> ConformanceResult {
        if let reason = profile.reasonToSkip(conformanceCase, exclusions: exclusions) {
            return ConformanceResult(conformanceCase, .skipped, reasons: [reason])
        }
        let reason = "not run: the time for the whole suite, \(budget.inSeconds) s, was over"
        return ConformanceResult(conformanceCase, .failed, reasons: [reason])
    }
}
