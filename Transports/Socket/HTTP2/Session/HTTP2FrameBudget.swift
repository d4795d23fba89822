/// Bounds the number of frames that make no progress (RFC 9113 §10.5).
///
/// Each frame costs one token. Content, response heads and the passage of time earn tokens. Running out of tokens
/// counts as flooding.
struct HTTP2FrameBudget: Sendable {
    /// The tokens of a new connection.
    private static let capacity = 2_000
    /// The tokens earned each second: more than any keepalive needs.
    private static let tokensPerSecond: Int64 = 20
    private static let tokensPerHead = 16
    /// The tokens earned by each DATA frame sent. The server may return its credit with two WINDOW_UPDATE frames, one
    /// for the stream and one for the connection (RFC 9113 §6.9).
    private static let tokensPerSentContent = 3

    private var tokens = HTTP2FrameBudget.capacity
    private var refilledAt: Int64?

    /// Adds the tokens earned by the time since the last call.
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

    /// Charges one frame. Returns whether a token was left.
    mutating func spend() -> Bool {
        tokens -= 1
        return tokens >= 0
    }

    /// Adds the tokens earned by received content.
    mutating func earn(contentOf count: Int) { earn(1 + count / 256) }

    /// Adds the tokens earned by the content of a DATA frame that was sent.
    mutating func earn(sentContentOf count: Int) { earn(Self.tokensPerSentContent + count / 256) }

    /// Adds the tokens earned by a response head.
    mutating func earnHead() { earn(Self.tokensPerHead) }

    private mutating func earn(_ count: Int) { tokens = min(tokens + count, Self.capacity) }
}
