internal import AirframeCore
internal import Foundation

/// The durations of an exchange's phases: a bar with a part for each phase, and a legend.
///
///     ░░▒▒▒▓▓▓▓▓▓────────────────────────█ 12.3 ms: ░ resolve 0.51 ms, ▒ connect 1.20 ms, …
struct PhaseBar {
    /// A phase as displayed.
    enum Phase: String, CaseIterable {
        case queue
        case resolve
        case connect
        case tls = "TLS"
        case send
        case wait
        case receive
    }

    /// The phases with a duration, in order, in seconds.
    let phases: [(phase: Phase, duration: TimeInterval)]

    init(_ transaction: URLSessionTaskTransactionMetrics) {
        let connected = transaction.secureConnectionStartDate ?? transaction.connectEndDate
        let ready = [transaction.domainLookupStartDate, transaction.connectStartDate, transaction.requestStartDate]
        let spans: [(Phase, Date?, Date?)] = [
            (.queue, transaction.fetchStartDate, ready.lazy.compactMap { $0 }.first),
            (.resolve, transaction.domainLookupStartDate, transaction.domainLookupEndDate),
            (.connect, transaction.connectStartDate, connected),
            (.tls, transaction.secureConnectionStartDate, transaction.secureConnectionEndDate),
            (.send, transaction.requestStartDate, transaction.requestEndDate),
            (.wait, transaction.requestEndDate, transaction.responseStartDate),
            (.receive, transaction.responseStartDate, transaction.responseEndDate),
        ]
        self.init(
            spans.compactMap { phase, start, end in
                guard let start, let end else { return nil }
                return (phase, end.timeIntervalSince(start))
            })
    }

    init(_ phases: [(phase: Phase, duration: TimeInterval)]) {
        self.phases = phases.filter { $0.duration > 0 && $0.duration.isFinite }
    }

    /// Returns the bar, its legend and what it is about, on one line or two; none if no duration is known.
    ///
    /// - Parameter subject: The text behind the legend, or behind the bar if the legend has its own line.
    func lines(_ style: ConsoleStyle, subject: String = "") -> [String] {
        guard !phases.isEmpty else { return [] }
        let total = phases.reduce(0) { $0 + $1.duration }
        let width = max(style.barWidth, phases.count)
        let bar = zip(phases, columns(of: width, total: total))
            .map { style.paint(String(repeating: $0.phase.mark(style), count: $1), $0.phase.colour) }
        let parts = phases.map { (mark: String($0.mark(style)), text: "\($0.rawValue) \($1.durationText)", $0.colour) }
        let legend = parts.map { "\(style.paint($0.mark, $0.2)) \($0.text)" }.joined(separator: ", ")
        let start = "\(bar.joined()) \(total.durationText)"
        // With the two columns that the line is indented by.
        let length = width + total.durationText.count + parts.reduce(3) { $0 + $1.text.count + 4 } + subject.count
        guard let limit = style.lineWidth, length > limit else { return ["\(start): \(legend)\(subject)"] }
        return ["\(start)\(subject)", legend]
    }

    /// Returns the width of each phase in columns: proportional, at least one, with the sum `width`.
    private func columns(of width: Int, total: TimeInterval) -> [Int] {
        var columns = phases.map { max(1, Int(($0.duration / total * Double(width)).rounded())) }
        var excess = columns.reduce(0, +) - width
        while excess != 0, let widest = columns.indices.max(by: { columns[$0] < columns[$1] }) {
            columns[widest] -= excess.signum()
            excess -= excess.signum()
        }
        return columns
    }
}

extension PhaseBar.Phase {
    /// The character of the phase's part, which distinguishes phases without colours.
    fileprivate func mark(_ style: ConsoleStyle) -> Character {
        switch self {
        case .queue: style.usesUnicode ? "·" : "."
        case .resolve: style.usesUnicode ? "░" : "r"
        case .connect: style.usesUnicode ? "▒" : "c"
        case .tls: style.usesUnicode ? "▓" : "t"
        case .send: style.usesUnicode ? "▲" : "^"
        case .wait: style.usesUnicode ? "─" : "-"
        case .receive: style.usesUnicode ? "█" : "#"
        }
    }

    fileprivate var colour: ConsoleStyle.Colour {
        switch self {
        case .queue: .dim
        case .resolve: .cyan
        case .connect: .blue
        case .tls: .magenta
        case .send: .yellow
        case .wait: .white
        case .receive: .green
        }
    }
}
