/// The line that shows a transfer: percentage, bar, bytes, rate and the time that is left.
package enum ProgressLine {
    /// The line in at most `width` columns. Where there is little room the bar goes first, then the time, then the
    /// rate.
    package static func text(_ meter: TransferMeter, width: Int, _ style: TextStyle) -> String {
        let size =
            meter.total.map { "\(Quantities.bytes(meter.completed)) of \(Quantities.bytes($0))" }
            ?? Quantities.bytes(meter.completed)
        let rate = meter.rate.map { "\(Quantities.bytes(Int64(min(max(0, $0), 9e18))))/s" } ?? "--/s"
        let percentage = meter.fraction.map { "\(Int($0 * 100)) %".aligned(to: 5) }
        let time = meter.total == nil ? nil : "\(Quantities.clock(meter.remaining)) left"
        let words: [String?] = [percentage, size, rate, time]
        for count in stride(from: words.count, to: 1, by: -1) {
            let line = words.prefix(count).compactMap(\.self).joined(separator: "  ")
            guard line.count <= width else { continue }
            guard let fraction = meter.fraction, let percentage, width - line.count >= 10 else { return line }
            let bar = bar(fraction, width: min(40, width - line.count - 2), style)
            return "\(percentage)  \(bar)\(line.dropFirst(percentage.count))"
        }
        return (percentage ?? size).truncated(to: width, style)
    }

    private static func bar(_ fraction: Double, width: Int, _ style: TextStyle) -> String {
        let filled = Int((fraction * Double(width)).rounded(.down))
        let (full, empty) = style.usesUnicode ? ("━", "─") : ("#", "-")
        return style.paint(String(repeating: full, count: filled), .string)
            + style.paint(String(repeating: empty, count: width - filled), .dim)
    }
}
