internal import Foundation

/// How often a transfer is tried, and how long it waits between attempts: the wait doubles each time, up to a limit.
///
/// An attempt that transferred bytes starts the count anew, so that a long transfer over a bad line does not run out
/// of attempts.
public struct TransferRetryRule: Codable, Sendable, Hashable {
    /// The most attempts without progress, the first included.
    public var attempts: Int
    /// The wait after the first failure, in seconds.
    public var delay: Double
    /// The longest wait, in seconds. A server's `Retry-After` may be longer.
    public var longestDelay: Double

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - attempts: The most attempts without progress, the first included.
    ///   - delay: The wait after the first failure, in seconds.
    ///   - longestDelay: The longest wait, in seconds.
    public init(attempts: Int = 8, delay: Double = 1, longestDelay: Double = 300) {
        self.attempts = attempts
        self.delay = delay
        self.longestDelay = longestDelay
    }

    /// The wait before the next attempt, in seconds; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row without progress, this one included.
    ///   - retryAfter: The server's `Retry-After`, in seconds.
    ///   - jitter: A number from 0 to 1: where in the upper half of the wait to wake up, so that many clients that
    ///     failed together do not return together.
    func delay(afterFailures failures: Int, retryAfter: Double?, jitter: Double) -> Double? {
        guard failures < attempts else { return nil }
        let doubled = delay * pow(2, Double(min(max(failures, 1) - 1, 60)))
        let wait = min(doubled, longestDelay)
        return max(wait * (0.5 + jitter / 2), min(max(retryAfter ?? 0, 0), Self.longestRetryAfter))
    }

    /// A server can ask for a day; more is taken for a mistake.
    private static let longestRetryAfter = 86_400.0

    func validate() throws(TransferError) {
        guard attempts >= 1, delay.isFinite, delay >= 0, longestDelay.isFinite, longestDelay >= 0 else {
            throw TransferDescription.invalid(
                "a retry rule with \(attempts) attempts and waits of \(delay) to \(longestDelay) seconds")
        }
    }
}
