import AirframeConformance

/// Reports side by side, as tables in Markdown: a row for each level and each group, a column for each engine.
struct ScoreTable: CustomStringConvertible {
    private let reports: [ConformanceReport]

    init(_ reports: [ConformanceReport]) { self.reports = reports }

    var description: String {
        let levels = ConformanceLevel.allCases.map { level in
            row(level.rawValue, reports.map { $0.score(of: level) })
        }
        let groups = ConformanceGroup.allCases.map { group in
            row(group.rawValue, reports.map { $0.score(of: group) })
        }
        let total = row("**all**", reports.map(\.score))
        let time = line("seconds", reports.map { "\($0.seconds)" })
        return (head("level") + levels + [total, time, ""] + head("group") + groups + [total])
            .joined(separator: "\n") + "\n"
    }

    private func head(_ kind: String) -> [String] {
        [line(kind, reports.map(\.engine)), "|---|" + reports.map { _ in "--:|" }.joined()]
    }

    /// Passed and run; a dash where all cases were skipped.
    private func row(_ name: String, _ scores: [ConformanceScore]) -> String {
        line(name, scores.map { $0.run == 0 ? "–" : "\($0.passed)/\($0.run)" })
    }

    private func line(_ name: String, _ cells: [String]) -> String {
        "| " + ([name] + cells).joined(separator: " | ") + " |"
    }
}
