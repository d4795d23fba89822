internal import AirframeTransport
internal import Foundation

/// The smoothed rate of a transfer: an average whose weights decay exponentially with age.
struct RateEstimate: Sendable {
    /// The age at which the weight of a sample has decayed to 1/e.
    private static let timeConstant = 5.0

    private var last: (instant: MonotonicInstant, bytes: Int64)?
    /// Bytes per second; 0 before the second sample.
    private(set) var bytesPerSecond = 0.0
    private var hasRate = false

    /// Records the number of bytes at an instant.
    mutating func add(_ bytes: Int64, at now: MonotonicInstant) {
        guard let last else {
            last = (now, bytes)
            return
        }
        let seconds = last.instant.duration(to: now).seconds
        guard seconds > 0 else { return }
        // A download that restarts has fewer bytes than before.
        let rate = Double(max(bytes - last.bytes, 0)) / seconds
        bytesPerSecond =
            hasRate ? bytesPerSecond + (rate - bytesPerSecond) * (1 - exp(-seconds / Self.timeConstant)) : rate
        hasRate = true
        self.last = (now, bytes)
    }

    /// Returns the seconds that `bytes` take at this rate; `nil` if nothing is transferred.
    func seconds(for bytes: Int64) -> Double? {
        bytesPerSecond >= 1 ? Double(bytes) / bytesPerSecond : nil
    }
}
