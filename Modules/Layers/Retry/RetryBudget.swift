public import AirframeTransport
internal import Synchronization

/// The number of additional attempts that requests may make together: a bucket of tokens, of which each retry and each
/// hedged attempt takes one.
///
/// When a server fails, all requests to it fail, and retries multiply the load of a server that is already overloaded.
/// A shared budget bounds the retries of any number of requests. Sessions share a budget if they are given the same
/// object:
///
/// ```swift
/// let budget = RetryBudget(capacity: 20)
/// let session = Session(transport: engine, interceptor: RetryPolicy(budget: budget))
/// ```
///
/// A class, because policies, layers and sessions draw on the same tokens. All users of a budget must have the same
/// clock, as all engines do by default.
public final class RetryBudget: Sendable {
    /// The maximum number of tokens in the bucket, which starts full.
    public let capacity: Double
    /// The number of tokens that are added each second.
    public let refillPerSecond: Double

    private struct Level {
        var tokens: Double
        var instant: MonotonicInstant?

        mutating func refill(at now: MonotonicInstant, _ capacity: Double, _ refillPerSecond: Double) {
            if let then = instant, then < now {
                tokens = min(capacity, tokens + then.duration(to: now).seconds * refillPerSecond)
            }
            instant = instant.map { max($0, now) } ?? now
        }
    }

    // Guards the tokens that are left, and the instant at which they were counted.
    private let level: Mutex<Level>

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of tokens: how many attempts may be added in a burst.
    ///   - refillPerSecond: The number of tokens that are added each second: how many attempts a second may be added in
    ///     the long run.
    public init(capacity: Int = 10, refillPerSecond: Double = 1) {
        self.capacity = Double(max(0, capacity))
        self.refillPerSecond = refillPerSecond.isFinite ? max(0, refillPerSecond) : 0
        level = Mutex(Level(tokens: Double(max(0, capacity))))
    }

    /// Takes the token of one attempt.
    ///
    /// - Parameter now: The current instant on the transport's clock.
    /// - Returns: Whether there was a token.
    public func withdraw(at now: MonotonicInstant) -> Bool {
        level.withLock { level in
            level.refill(at: now, capacity, refillPerSecond)
            guard level.tokens >= 1 else { return false }
            level.tokens -= 1
            return true
        }
    }

    /// Returns the number of tokens in the bucket, fractions included.
    ///
    /// - Parameter now: The current instant on the transport's clock.
    public func tokens(at now: MonotonicInstant) -> Double {
        level.withLock { level in
            level.refill(at: now, capacity, refillPerSecond)
            return level.tokens
        }
    }
}
