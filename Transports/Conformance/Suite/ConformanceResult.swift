/// The result of one case.
public struct ConformanceResult: Sendable, Hashable, Codable {
    /// The verdict on a case.
    public enum Verdict: String, Sendable, Codable {
        /// The engine does what the case expects.
        case passed
        /// The engine does something else, does it too late, or ends its process.
        case failed
        /// The case was not run, because the engine does not claim the examined feature.
        case skipped
    }

    /// The id of the case.
    public let id: String
    /// The group of the case.
    public let group: ConformanceGroup
    /// The level at which the case is counted.
    public let level: ConformanceLevel
    /// The verdict.
    public let verdict: Verdict
    /// The deviations that were found, or the reason why the case was skipped. Empty for a case that passed.
    public let reasons: [String]
    /// The time that the case took, in seconds.
    public let seconds: Double

    init(
        _ conformanceCase: ConformanceCase,
        _ verdict: Verdict,
        reasons: [String] = [],
        took duration: Duration = .zero
    ) {
        id = conformanceCase.id
        group = conformanceCase.group
        level = conformanceCase.level
        self.verdict = verdict
        self.reasons = reasons
        seconds = duration.inSeconds
    }
}

/// Cases that passed, failed and were skipped.
public struct ConformanceScore: Sendable, Hashable, Codable {
    /// The number of cases that passed.
    public private(set) var passed = 0
    /// The number of cases that failed.
    public private(set) var failed = 0
    /// The number of cases that were skipped.
    public private(set) var skipped = 0

    init(_ results: some Sequence<ConformanceResult>) {
        for result in results {
            switch result.verdict {
            case .passed: passed += 1
            case .failed: failed += 1
            case .skipped: skipped += 1
            }
        }
    }

    /// The number of cases that were run.
    public var run: Int { passed + failed }
}

extension ConformanceGroup: Codable {}

extension Duration {
    /// To the millisecond: a report is read by people.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1_000
    }
}
