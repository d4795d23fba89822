/// Bounds the number of frames that make no progress (RFC 9113 §10.5).
///
/// Each frame costs one token. Content, response heads and the passage of time earn tokens. Running out of tokens
/// counts as flooding.
///
/// Late content, which the server sent before it received the reset of its stream, costs no tokens: up to a stream's
/// window of it can arrive, in frames of any size. The head of a response that had not begun and the end of the stream
/// cost no tokens either.
struct HTTP2FrameBudget: Sendable {
    /// The tokens of a new connection.
    private static let capacity = 2_000
    /// The tokens earned each second: more than any keepalive needs.
    private static let tokensPerSecond: Int64 = 20
    private static let tokensPerHead = 16
    /// The tokens earned by each DATA frame sent. The server may return its credit with two WINDOW_UPDATE frames, one
    /// for the stream and one for the connection (RFC 9113 §6.9).
    private static let tokensPerSentContent = 3
    /// The minimum that a frame takes from the late content that is expected, in bytes.
    private static let leastLateContent = 256
    /// How long late content is expected, in nanoseconds.
    private static let latePatience: Int64 = 60_000_000_000
    /// The maximum number of frames that are charged before they are processed.
    private static let largestBatch = 512

    private var tokens = HTTP2FrameBudget.capacity
    /// The number of bytes of late content that may still arrive.
    private var lateCount = 0
    /// The number of late heads and ends that may still arrive.
    private var lateFrameCount = 0
    /// When late frames were first missed; `nil` while none is expected or the time has not been noted.
    private var lateSince: Int64?
    private var refilledAt: Int64?

    /// Adds the tokens earned by the time since the last call.
    ///
    /// - Parameter now: The monotonic clock, in nanoseconds.
    mutating func refill(at now: Int64) {
        if expectsLateContent { expireLateContent(at: now) }
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

    /// The number of frames to charge before they are processed and earn tokens back. A batch of more frames than
    /// tokens would count as flooding, although each of its frames may pay for itself.
    var batchSize: Int { min(max(1, tokens), Self.largestBatch) }

    // MARK: Late content

    /// Whether late content may arrive, or the heads and ends around it.
    var expectsLateContent: Bool { lateCount > 0 || lateFrameCount > 0 }

    /// Expects up to `count` bytes of content on a stream that is being reset.
    ///
    /// - Parameter limit: The maximum number of bytes that are expected on all such streams.
    mutating func expectLateContent(_ count: Int, limit: Int) {
        lateCount = min(lateCount + max(0, count), limit)
        lateSince = nil
    }

    /// Expects the end of a stream that is being reset, and the head of its response.
    ///
    /// - Parameters:
    ///   - hasHead: Whether the head has been received.
    ///   - limit: The maximum number of streams for which both are expected.
    mutating func expectLateEnd(hasHead: Bool, limit: Int) {
        lateFrameCount = min(lateFrameCount + (hasHead ? 1 : 2), 2 * limit)
        lateSince = nil
    }

    private mutating func expireLateContent(at now: Int64) {
        guard let since = lateSince else {
            lateSince = now
            return
        }
        guard now &- since >= Self.latePatience else { return }
        lateCount = 0
        lateFrameCount = 0
    }

    /// Charges a frame with late content. Returns whether it was expected, and costs no token.
    mutating func spendLateContent(_ count: Int) -> Bool {
        guard count > 0, lateCount > 0 else { return false }
        lateCount -= min(max(count, Self.leastLateContent), lateCount)
        return true
    }

    /// Charges a late head or end. Returns whether it was expected, and costs no token.
    mutating func spendLateEnd() -> Bool {
        guard lateFrameCount > 0 else { return false }
        lateFrameCount -= 1
        return true
    }

    // MARK: Earning

    /// Adds the tokens earned by received content.
    mutating func earn(contentOf count: Int) { earn(1 + count / 256) }

    /// Adds the tokens earned by the content of a DATA frame that was sent.
    mutating func earn(sentContentOf count: Int) { earn(Self.tokensPerSentContent + count / 256) }

    /// Adds the tokens earned by a response head.
    mutating func earnHead() { earn(Self.tokensPerHead) }

    private mutating func earn(_ count: Int) { tokens = min(tokens + count, Self.capacity) }
}
