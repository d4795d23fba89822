internal import AirframeTransport
internal import Synchronization

/// What requests may spend on retries together: a bucket of tokens, of which each retry takes one.
///
/// When a server fails, every request to it does. Retries then multiply the load of a server that has too much already; a
/// budget that all requests share bounds them, however many requests there are.
///
/// ```swift
/// let session = Session(transport: engine, interceptor: RetryPolicy(budget: RetryBudget(capacity: 20)))
/// ```
///
/// A class, because the policies that are given the same budget draw on the same tokens.
public final class RetryBudget: Sendable {
    /// The most tokens that the bucket holds; it starts full.
    public let capacity: Double
    /// The tokens that come back each second.
    public let refillPerSecond: Double

    private struct Level {
        var tokens: Double
        var instant: MonotonicInstant?
    }

    // Guards the tokens that are left, and the instant at which they were counted.
    private let level: Mutex<Level>

    /// Makes a full bucket.
    ///
    /// - Parameters:
    ///   - capacity: The most tokens that it holds: how many retries may come at once.
    ///   - refillPerSecond: The tokens that come back each second: how many retries a second there may be for long.
    public init(capacity: Int = 10, refillPerSecond: Double = 1) {
        self.capacity = Double(max(0, capacity))
        self.refillPerSecond = refillPerSecond.isFinite ? max(0, refillPerSecond) : 0
        level = Mutex(Level(tokens: Double(max(0, capacity))))
    }

    /// Takes the token of one retry; `false` when there is none.
    func withdraw(at now: MonotonicInstant) -> Bool {
        level.withLock { level in
            if let then = level.instant, then < now {
                level.tokens = min(capacity, level.tokens + then.duration(to: now).seconds * refillPerSecond)
            }
            level.instant = level.instant.map { max($0, now) } ?? now
            guard level.tokens >= 1 else { return false }
            level.tokens -= 1
            return true
        }
    }
}
