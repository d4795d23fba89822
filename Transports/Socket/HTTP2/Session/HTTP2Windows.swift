/// How much a server may send, by stream and in all (RFC 9113 §5.2).
///
/// The windows of all streams together never exceed the connection's: a reader that does not pull holds what its own
/// stream was granted and takes nothing from others. A stream's window grows while its content arrives faster than its
/// window allows: the bytes that arrive between a PING and its answer are the product of bandwidth and delay.
struct HTTP2Windows: Sendable {
    private let limits: HTTP2Limits
    /// The bytes granted to all open streams, and the bytes of ended streams that have not been credited.
    private(set) var reserved = 0
    /// The window that a stream with much content is worth.
    private(set) var target: Int
    /// The number of the PING that measures, and the bytes that have arrived since it was sent.
    private var probe: (ping: UInt64, count: Int)?
    private var unprobedCount = 0

    init(_ limits: HTTP2Limits) {
        self.limits = limits
        target = limits.streamWindow
    }

    mutating func reserve(_ count: Int) { reserved += count }

    mutating func release(_ count: Int) { reserved -= count }

    /// The window to grant to a stream that has `current`, or `nil` if it keeps that.
    func growth(from current: Int) -> Int? {
        let size = min(target, limits.largestStreamWindow, current + max(0, limits.connectionWindow - reserved))
        // A step that is not worth a frame is not made.
        return size >= current + current / 2 ? size : nil
    }

    /// Counts content. Returns whether a PING should be sent to measure the delay.
    mutating func count(_ count: Int) -> Bool {
        guard target < limits.largestStreamWindow else { return false }
        guard probe == nil else {
            probe?.count += count
            return false
        }
        unprobedCount += count
        return unprobedCount >= target / 4
    }

    /// A PING that measures is on its way.
    mutating func beginProbe(_ ping: UInt64) {
        probe = (ping, 0)
        unprobedCount = 0
    }

    /// A PING was answered.
    mutating func endProbe(_ ping: UInt64) {
        guard let probe, probe.ping <= ping else { return }
        self.probe = nil
        guard probe.count >= target / 3 * 2 else { return }
        target = min(max(2 * probe.count, 2 * target), limits.largestStreamWindow)
    }
}
