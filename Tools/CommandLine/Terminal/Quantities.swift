internal import Foundation

/// Sizes, durations and rates as short text, the same in every locale.
package enum Quantities {
    /// A number of bytes, in powers of ten: `12 B`, `4.2 kB`, `1.3 MB`.
    package static func bytes(_ count: Int64) -> String {
        guard count >= 1000 else { return "\(max(0, count)) B" }
        var value = Double(count)
        var unit = ""
        for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 999.95 {
            value /= 1000
            unit = next
        }
        return "\(fixed(value, 1)) \(unit)"
    }

    /// A duration in milliseconds with its unit: `0.42 ms`, `12.3 ms`, `4.21 s`.
    package static func milliseconds(_ count: Double) -> String {
        guard count.isFinite, count >= 0 else { return "0 ms" }
        if count >= 1000 { return "\(fixed(min(count / 1000, 1e12), 2)) s" }
        return count < 10 ? "\(fixed(count, 2)) ms" : "\(fixed(count, 1)) ms"
    }

    /// A remaining time: `0:07`, `12:30`, `1:02:03`; `-:--` when it is not known.
    package static func clock(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds >= 0, seconds < 360_000 else { return "-:--" }
        let count = Int(seconds.rounded(.up))
        let (minutes, rest) = (count / 60 % 60, count % 60)
        let tail = "\(rest < 10 ? "0" : "")\(rest)"
        guard count >= 3600 else { return "\(minutes):\(tail)" }
        return "\(count / 3600):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }

    /// A number with three decimals, as JSON has it; 0 for one that is not finite.
    package static func digits(_ value: Double) -> String { fixed(value.isFinite ? value : 0, 3) }

    private static func fixed(_ value: Double, _ decimals: Int) -> String {
        String(format: "%.\(decimals)f", value)
    }
}
