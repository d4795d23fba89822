/// Bounds the frames that a server may send without bringing anything (RFC 9113 §10.5).
///
/// Each frame costs one token. What a client wants earns tokens: content, the head of a response, the passage of time.
/// A server that runs out of them floods.
struct HTTP2FrameBudget: Sendable {
    /// The tokens of a new connection.
    private static let capacity = 2_000
    /// The tokens that a second brings: more than any keepalive needs.
    private static let tokensPerSecond: Int64 = 20
    private static let tokensPerHead = 16

    private var tokens = HTTP2FrameBudget.capacity
    private var refilledAt: Int64?

    /// Adds what the time since the last call has earned.
    ///
    /// - Parameter now: The monotonic clock, in nanoseconds.
    mutating func refill(at now: Int64) {
        guard let last = refilledAt else {
            refilledAt = now
            return
        }
        let elapsed = max(0, now &- last)
        let earned = min(elapsed / (1_000_000_000 / Self.tokensPerSecond), Int64(Self.capacity))
        guard earned > 0 else { return }
        refilledAt = now
        earn(Int(earned))
    }

    /// Counts a frame. Returns whether there were tokens for it.
    mutating func spend() -> Bool {
        tokens -= 1
        return tokens >= 0
    }

    /// Content of a response has arrived, or content of a request has been sent.
    mutating func earn(contentOf count: Int) { earn(1 + count / 256) }

    /// The head of a response has arrived.
    mutating func earnHead() { earn(Self.tokensPerHead) }

    private mutating func earn(_ count: Int) { tokens = min(tokens + count, Self.capacity) }
}
