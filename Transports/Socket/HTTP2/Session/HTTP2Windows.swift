/// How much a server may send, by stream and in all (RFC 9113 §5.2).
///
/// A stream's window bounds the content that the stream holds. The windows of all streams together never exceed
/// ``HTTP2Limits/connectionWindow``: growth takes no bytes from the first windows of streams that are yet to be opened.
/// The connection's credit bounds nothing, because it is returned when content arrives. Readers that do not pull
/// therefore stop only their own streams.
///
/// A stream's window grows while its content arrives faster than its window allows: the bytes that arrive between a
/// PING and its answer are the product of bandwidth and delay.
///
/// Servers limit the PINGs of a client: Jetty ends a connection with more than 128 in a second. After a PING that has
/// not enlarged ``target``, the next one therefore waits for ``probeInterval``.
struct HTTP2Windows: Sendable {
    private let limits: HTTP2Limits
    private let growthCapacity: Int
    /// The bytes granted to all open streams, and the bytes of ended streams that have not been credited.
    private(set) var reserved = 0
    /// The part of ``reserved`` that exceeds the first windows of its streams.
    private var grown = 0
    /// The window that a stream with much content is worth.
    private(set) var target: Int
    /// The number of the PING that measures, and the bytes that have arrived since it was sent.
    private var probe: (ping: UInt64, count: Int)?
    private var unprobedCount = 0
    /// When the last PING was sent; `nil` if the next one need not wait for time.
    private var probedAt: Int64?
    /// Whether no PING has measured ``target`` since it grew. The first one after a growth measures the old window,
    /// because the server had not received the larger one yet.
    private var hasJustGrown = false

    /// The minimum time between two PINGs, in nanoseconds, while ``target`` does not grow.
    private static let probeInterval: Int64 = 100_000_000

    init(_ limits: HTTP2Limits) {
        self.limits = limits
        growthCapacity = limits.growthCapacity
        target = limits.streamWindow
    }

    /// Changes the number of bytes that are reserved for a stream.
    mutating func reserve(_ count: Int, insteadOf old: Int) {
        reserved += count - old
        grown += max(0, count - limits.streamWindow) - max(0, old - limits.streamWindow)
    }

    /// The window to grant to a stream that has `current`, or `nil` if it keeps that.
    func growth(from current: Int) -> Int? {
        let size = min(target, limits.largestStreamWindow, current + growthCapacity - grown)
        // A step that is not worth a frame is not made.
        return size >= current + current / 2 ? size : nil
    }

    /// Counts content. Returns whether a PING should be sent to measure the delay.
    ///
    /// - Parameter now: The monotonic clock, in nanoseconds.
    mutating func count(_ count: Int, at now: Int64) -> Bool {
        guard target < limits.largestStreamWindow else { return false }
        guard probe == nil else {
            probe?.count += count
            return false
        }
        if let last = probedAt {
            guard now &- last >= Self.probeInterval else { return false }
            probedAt = nil
        }
        // Counted only now: the PING must be sent while much of a window is still to arrive. Otherwise its answer
        // precedes all further content.
        unprobedCount += count
        return unprobedCount >= target / 4
    }

    /// A PING that measures is on its way.
    ///
    /// - Parameter now: The monotonic clock, in nanoseconds.
    mutating func beginProbe(_ ping: UInt64, at now: Int64) {
        probe = (ping, 0)
        probedAt = now
        unprobedCount = 0
    }

    /// A PING was answered.
    mutating func endProbe(_ ping: UInt64) {
        guard let probe, probe.ping <= ping else { return }
        self.probe = nil
        // libnghttp2 returns a window's credit in halves, so that a server that the window stops sends half a window or
        // a little more in a round trip.
        let hasGrown = probe.count >= target / 3
        if hasGrown { target = min(max(2 * probe.count, 2 * target), limits.largestStreamWindow) }
        if hasGrown || hasJustGrown { probedAt = nil }
        hasJustGrown = hasGrown
    }
}
