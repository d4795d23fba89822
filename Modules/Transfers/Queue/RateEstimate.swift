internal import AirframeTransport
internal import Foundation

/// The rate of a transfer, smoothed: an average whose weights fall exponentially with age.
struct RateEstimate: Sendable {
    /// After this time a sample weighs 1/e of what it did.
    private static let timeConstant = 5.0

    private var last: (instant: MonotonicInstant, bytes: Int64)?
    /// Bytes per second; 0 before the second sample.
    private(set) var bytesPerSecond = 0.0
    private var hasRate = false

    /// Notes how many bytes there are at an instant.
    mutating func add(_ bytes: Int64, at now: MonotonicInstant) {
        guard let last else {
            last = (now, bytes)
            return
        }
        let seconds = last.instant.duration(to: now).seconds
        guard seconds > 0 else { return }
        // A download that starts anew has fewer bytes than before.
        let rate = Double(max(bytes - last.bytes, 0)) / seconds
        bytesPerSecond =
            hasRate ? bytesPerSecond + (rate - bytesPerSecond) * (1 - exp(-seconds / Self.timeConstant)) : rate
        hasRate = true
        self.last = (now, bytes)
    }

    /// The seconds that `bytes` take at this rate; `nil` when nothing moves.
    func seconds(for bytes: Int64) -> Double? {
        bytesPerSecond >= 1 ? Double(bytes) / bytesPerSecond : nil
    }
}
