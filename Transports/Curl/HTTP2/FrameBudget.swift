internal import AirframeWire
internal import CCurlHTTP2

/// The number of frames without content that a server may send (RFC 9113 §10.5).
///
/// libcurl 7.88 reads frames of a connection until content for the current transfer arrives or the socket is empty. A
/// server that sends other frames without end would block the thread. libnghttp2 takes 10 to 30 ms for 64 Ki frames
/// (measured); then the connection is closed. The budget refills with time and with sent frames: a server answers each
/// DATA frame of an upload with up to two WINDOW_UPDATE frames.
struct FrameBudget {
    private static let capacity = 1 << 16
    private static let refillPerSecond: Int64 = 10_000
    private static let perDataFrame = 8
    private static let perRequest = 64

    private var left = capacity
    private var refilledAt: Int64?
    /// The bytes that have arrived beyond those of reported frames.
    private var unreported = 0

    /// Takes the cost of bytes that have arrived. libnghttp2 does not report frames of unknown types or on closed
    /// streams. Their bytes cost a unit for each 2 KiB.
    mutating func spend(byteCount: Int) -> Bool {
        unreported += byteCount
        guard unreported >= 1 << 16 else { return true }
        let cost = unreported / 2048
        unreported = 0
        return spend(cost)
    }

    /// Records that libnghttp2 reports a frame, whose payload may not have arrived yet.
    mutating func noteReport(_ frame: airframe_http2_frame) { unreported -= frame.length + 9 }

    /// Takes the cost of a frame. Returns `false` if the budget is used up.
    mutating func spend(_ frame: airframe_http2_frame) -> Bool { spend(Self.cost(of: frame)) }

    private mutating func spend(_ cost: Int) -> Bool {
        left -= cost
        if left > 0 { return true }
        refill(now: Monotonic.now)
        return left > 0
    }

    /// Refunds the cost of a DATA frame with content of a transfer.
    mutating func refund(_ frame: airframe_http2_frame) { add(Self.cost(of: frame)) }

    /// Records that content of a request was sent.
    mutating func noteData() { add(Self.perDataFrame) }

    /// Records that the head of a request was sent.
    mutating func noteRequest() {
        if refilledAt == nil { refilledAt = Monotonic.now }
        add(Self.perRequest)
    }

    // DATA of a cancelled stream may be in flight, up to the stream's window of 32 MiB.
    private static func cost(of frame: airframe_http2_frame) -> Int {
        1 + frame.length / (frame.type == FrameType.data ? 4096 : 1024)
    }

    // The clock is read only when the budget is used up, which does not happen with well-behaved servers.
    private mutating func refill(now: Int64) {
        let elapsed = max(0, now - (refilledAt ?? now))
        refilledAt = now
        add(Int(min(elapsed / (1_000_000_000 / Self.refillPerSecond), Int64(Self.capacity))))
    }

    private mutating func add(_ count: Int) { left = min(Self.capacity, left + count) }
}
