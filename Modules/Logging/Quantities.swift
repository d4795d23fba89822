internal import Foundation

// Durations and sizes for logs: short, and the same in every locale.

extension TimeInterval {
    /// Milliseconds in text: `0.42`, `12.3`, `1250`.
    var millisecondsText: String {
        let milliseconds = Swift.max(0, self * 1000)
        guard milliseconds.isFinite, milliseconds < 1e15 else { return "0" }
        if milliseconds < 10 { return Self.text(milliseconds, decimals: 2) }
        return Self.text(milliseconds, decimals: milliseconds < 1000 ? 1 : 0)
    }

    /// The duration with its unit: `12.3 ms`, `4.21 s`.
    var durationText: String {
        guard self >= 1, self < 1e12 else { return "\(millisecondsText) ms" }
        return "\(Self.text(self, decimals: 2)) s"
    }

    /// Returns fixed-point text. Foundation's formatters take longer than the rest of a line.
    static func text(_ value: Double, decimals: Int) -> String {
        let scale = decimals == 0 ? 1.0 : decimals == 1 ? 10 : 100
        guard let scaled = Int(exactly: (value * scale).rounded()) else { return "\(value)" }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        guard decimals > 0 else { return "\(whole)" }
        let digits = String(rest)
        return "\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
    }
}

extension Int64 {
    /// A number of bytes with its unit, in powers of ten: `12 B`, `4.2 kB`, `1.3 MB`.
    var byteCountText: String {
        guard self >= 1000 else { return "\(Swift.max(0, self)) B" }
        var value = Double(self)
        var unit = ""
        for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 999.95 {
            value /= 1000
            unit = next
        }
        return "\(TimeInterval.text(value, decimals: 1)) \(unit)"
    }
}
