internal import Foundation

/// The number of attempts of a transfer and the waits between them. Each wait is twice the one before, up to a limit.
///
/// An attempt that transferred bytes resets the count, so that a long transfer over a bad line does not run out of
/// attempts.
public struct TransferRetryRule: Codable, Sendable, Hashable {
    /// The maximum number of consecutive attempts without progress, including the first.
    public var attempts: Int
    /// The wait after the first failure, in seconds.
    public var delay: Double
    /// The maximum wait, in seconds. A server's `Retry-After` may be longer.
    public var longestDelay: Double

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of consecutive attempts without progress, including the first.
    ///   - delay: The wait after the first failure, in seconds.
    ///   - longestDelay: The maximum wait, in seconds.
    public init(attempts: Int = 8, delay: Double = 1, longestDelay: Double = 300) {
        self.attempts = attempts
        self.delay = delay
        self.longestDelay = longestDelay
    }

    /// Returns the wait before the next attempt, in seconds; `nil` if there is no further attempt.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures without progress, including this one.
    ///   - retryAfter: The server's `Retry-After`, in seconds.
    ///   - jitter: A number from 0 to 1: the position in the upper half of the wait at which to retry, so that many
    ///     clients that failed together do not retry together.
    func delay(afterFailures failures: Int, retryAfter: Double?, jitter: Double) -> Double? {
        guard failures < attempts else { return nil }
        let doubled = delay * pow(2, Double(min(max(failures, 1) - 1, 60)))
        let wait = min(doubled, longestDelay)
        return max(wait * (0.5 + jitter / 2), min(max(retryAfter ?? 0, 0), Self.longestRetryAfter))
    }

    /// Servers may ask for up to a day. A longer wait is treated as a mistake.
    private static let longestRetryAfter = 86_400.0

    func validate() throws(TransferError) {
        guard attempts >= 1, delay.isFinite, delay >= 0, longestDelay.isFinite, longestDelay >= 0 else {
            throw TransferDescription.invalid(
                "a retry rule with \(attempts) attempts and waits of \(delay) to \(longestDelay) seconds")
        }
    }
}
