internal import AirframeWire
internal import CCurlHTTP2

/// How many frames a server may send that carry nothing for the reader (RFC 9113 §10.5).
///
/// libcurl 7.88 reads frames of a connection until content for the current transfer arrives or the socket is empty. A
/// server that sends other frames without end would keep the thread there. Measured here, 64 Ki frames take libnghttp2
/// 10 to 30 ms; then the connection is given up. The budget refills with time, and with what is sent: a server answers
/// each DATA frame of an upload with up to two WINDOW_UPDATE frames.
struct FrameBudget {
    private static let capacity = 1 << 16
    private static let refillPerSecond: Int64 = 10_000
    private static let perDataFrame = 8
    private static let perRequest = 64

    private var left = capacity
    private var refilledAt: Int64?
    /// The bytes that have arrived beyond those of the frames that were reported.
    private var unreported = 0

    /// Takes the cost of bytes that have arrived. Those of frames that libnghttp2 ignores, of unknown types or on
    /// closed streams, are never reported: they cost a unit for each 2 KiB.
    mutating func spend(byteCount: Int) -> Bool {
        unreported += byteCount
        guard unreported >= 1 << 16 else { return true }
        let cost = unreported / 2048
        unreported = 0
        return spend(cost)
    }

    /// Notes that libnghttp2 reports a frame, whose payload may still be on its way.
    mutating func noteReport(_ frame: airframe_http2_frame) { unreported -= frame.length + 9 }

    /// Takes the cost of a frame. `false` when there is not enough left.
    mutating func spend(_ frame: airframe_http2_frame) -> Bool { spend(Self.cost(of: frame)) }

    private mutating func spend(_ cost: Int) -> Bool {
        left -= cost
        if left > 0 { return true }
        refill(now: Monotonic.now)
        return left > 0
    }

    /// Gives the cost of a DATA frame back that carries content of a transfer.
    mutating func refund(_ frame: airframe_http2_frame) { add(Self.cost(of: frame)) }

    /// Notes that content of a request was sent.
    mutating func noteData() { add(Self.perDataFrame) }

    /// Notes that the head of a request was sent.
    mutating func noteRequest() {
        if refilledAt == nil { refilledAt = Monotonic.now }
        add(Self.perRequest)
    }

    // DATA of a stream that was cancelled may have been on its way: up to the stream's window of 32 MiB.
    private static func cost(of frame: airframe_http2_frame) -> Int {
        1 + frame.length / (frame.type == FrameType.data ? 4096 : 1024)
    }

    // The clock is asked only when the budget is used up, which good servers never bring about.
    private mutating func refill(now: Int64) {
        let elapsed = max(0, now - (refilledAt ?? now))
        refilledAt = now
        add(Int(min(elapsed / (1_000_000_000 / Self.refillPerSecond), Int64(Self.capacity))))
    }

    private mutating func add(_ count: Int) { left = min(Self.capacity, left + count) }
}
