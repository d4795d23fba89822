import Airframe
import Foundation

/// Bars of a queue's progress on standard error: one for all transfers, and one for each that runs.
enum TerminalBars {
    private static let mostBars = 8

    /// Whether standard error is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Draws until all transfers have ended or the task is cancelled.
    ///
    /// - Parameter untilIdle: Whether to end as soon as none is waiting or running, while others are paused.
    static func show(_ queue: TransferQueue, untilIdle: Bool = false) async throws {
        var drawn = 0
        for await progress in queue.progress() {
            let running = try await queue.transfers(in: [.running], limit: mostBars)
            let lines = [line(progress)] + running.map(line)
            // Moves to the first line, draws each line, and clears the rest of the last drawing.
            var text = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
            for line in lines { text += "\r\u{1B}[2K\(line)\n" }
            text += "\u{1B}[J"
            drawn = lines.count
            Terminal.error.write(text)
            if untilIdle, progress.counts[.waiting] == nil, progress.counts[.running] == nil { return }
        }
    }

    /// The progress of all transfers in a line.
    static func line(_ progress: TransferProgress) -> String {
        let ended = progress.counts.filter(\.key.isFinal).values.reduce(0, +)
        var parts = ["\(ended)/\(progress.count)", amount(progress.completedBytes)]
        if let total = progress.totalBytes { parts[1] += " of \(amount(total))" }
        parts.append("\(amount(Int64(progress.bytesPerSecond)))/s")
        if let left = progress.secondsLeft { parts.append("\(duration(left)) left") }
        return bar(progress.fractionCompleted) + " " + parts.joined(separator: "  ")
    }

    private static func line(_ transfer: Transfer) -> String {
        let fraction = transfer.totalBytes.map { $0 > 0 ? Double(transfer.completedBytes) / Double($0) : 1 }
        let name = (transfer.path as NSString).lastPathComponent
        return bar(fraction) + " \(transfer.id)  \(amount(transfer.completedBytes))  \(name.printable)"
    }

    private static func bar(_ fraction: Double?) -> String {
        let width = 20
        guard let fraction else { return "[" + String(repeating: "·", count: width) + "]" }
        let filled = min(width, max(0, Int(fraction * Double(width))))
        return "[" + String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled) + "]"
    }

    private static func amount(_ bytes: Int64) -> String {
        var (value, unit) = (Double(bytes), 0)
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return unit == 0 ? "\(bytes) B" : "\((value * 10).rounded() / 10) \(units[unit])"
    }

    private static func duration(_ seconds: Double) -> String {
        let whole = Int(min(seconds.rounded(.up), 359_999))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}
