public import FoundationEssentials

/// The results of the suite over one engine, with a score for each group and each level.
///
/// ``description`` is the report as text; `JSONEncoder` makes JSON of it, which holds the scores too.
public struct ConformanceReport: Sendable, Hashable {
    /// The name that the engine gives itself.
    public let engine: String
    /// The levels that the engine claims, as far as its capabilities permit.
    public let claims: [ConformanceLevel]
    /// The longest wait for one expected event, in seconds.
    public let wait: Double
    /// The duration of the whole run, in seconds.
    public let seconds: Double
    /// The results in the order of the cases.
    public let results: [ConformanceResult]

    init(_ profile: EngineProfile, results: [ConformanceResult], wait: Duration, took duration: Duration) {
        engine = profile.name
        claims = profile.claims.sorted()
        self.wait = wait.inSeconds
        seconds = duration.inSeconds
        self.results = results
    }

    /// The score of all cases.
    public var score: ConformanceScore { ConformanceScore(results) }

    /// The score of a level.
    public func score(of level: ConformanceLevel) -> ConformanceScore {
        ConformanceScore(results.lazy.filter { $0.level == level })
    }

    /// The score of a group.
    public func score(of group: ConformanceGroup) -> ConformanceScore {
        ConformanceScore(results.lazy.filter { $0.group == group })
    }

    /// The results with this verdict.
    public func results(that verdict: ConformanceResult.Verdict) -> [ConformanceResult] {
        results.filter { $0.verdict == verdict }
    }

    /// Returns the report as JSON: readable, with its keys in a fixed order, so that two reports can be compared as
    /// text.
    ///
    /// - Throws: The errors of `JSONEncoder`.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

extension ConformanceReport: Codable {
    private enum Key: String, CodingKey {
        case engine, claims, wait, seconds, cases, score, levels, groups
    }

    /// Reads a report. The scores are derived from its results.
    ///
    /// - Throws: The errors of `decoder`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        engine = try container.decode(String.self, forKey: .engine)
        claims = try container.decode([ConformanceLevel].self, forKey: .claims)
        wait = try container.decode(Double.self, forKey: .wait)
        seconds = try container.decode(Double.self, forKey: .seconds)
        results = try container.decode([ConformanceResult].self, forKey: .cases)
    }

    /// Writes the results with their scores.
    ///
    /// - Throws: The errors of `encoder`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(engine, forKey: .engine)
        try container.encode(claims, forKey: .claims)
        try container.encode(wait, forKey: .wait)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(results, forKey: .cases)
        try container.encode(score, forKey: .score)
        let levels = ConformanceLevel.allCases.map { ($0.rawValue, score(of: $0)) }
        try container.encode(Dictionary(uniqueKeysWithValues: levels), forKey: .levels)
        let groups = ConformanceGroup.allCases.map { ($0.rawValue, score(of: $0)) }
        try container.encode(Dictionary(uniqueKeysWithValues: groups), forKey: .groups)
    }
}

extension ConformanceReport: CustomStringConvertible {
    /// The report as text: scores, failures with their reasons, and the number of cases skipped for each reason.
    public var description: String {
        let total = score
        let claimed = claims.map(\.rawValue).joined(separator: ", ")
        var lines = [
            "\(engine): \(total.passed) of \(total.run) passed, \(total.failed) failed, \(total.skipped) skipped, "
                + "in \(seconds) s",
            "claims \(claimed.isEmpty ? "nothing" : claimed); waits \(wait) s for what must happen", "",
            Self.row("level", "passed", "failed", "skipped"),
        ]
        lines += ConformanceLevel.allCases.map { Self.row($0.rawValue, score(of: $0)) }
        lines += ["", Self.row("group", "passed", "failed", "skipped")]
        lines += ConformanceGroup.allCases.map { Self.row($0.rawValue, score(of: $0)) }
        let failures = results(that: .failed)
        if !failures.isEmpty {
            lines += ["", "failed"]
            for failure in failures {
                lines.append("  \(failure.id) (\(failure.level.rawValue), \(failure.seconds) s)")
                lines += failure.reasons.map { "    \($0)" }
            }
        }
        let skips = results(that: .skipped).reduce(into: [String: Int]()) { counts, result in
            counts[result.reasons.joined(separator: "; "), default: 0] += 1
        }
        if !skips.isEmpty {
            lines += ["", "skipped"]
            lines += skips.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value): \($0.key)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ name: String, _ score: ConformanceScore) -> String {
        row(name, "\(score.passed)", "\(score.failed)", "\(score.skipped)")
    }

    private static func row(_ name: String, _ numbers: String...) -> String {
        let padded = numbers.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(1, 14 - name.count)) + padded.joined()
    }
}
