/// Finds the heads of frames (RFC 9113 §4.1) in bytes as they arrive.
///
/// libnghttp2 does not report frames that it ignores: those of unknown types and those on closed streams. They count against
/// the ``HTTP2FrameBudget`` too.
struct HTTP2FrameScanner: Sendable {
    /// What a frame's head says.
    struct Head: Sendable {
        let length: Int
        let type: UInt8
    }

    /// The bytes of a head that has not arrived whole, the latest lowest.
    private var partial: UInt64 = 0
    private var partialCount = 0
    /// The bytes of the payload that are still to come.
    private var payloadCount = 0

    /// Returns the next head that is complete in `bytes`, and moves `offset` behind it; `nil` when the bytes are used up.
    mutating func next(in bytes: UnsafeRawBufferPointer, from offset: inout Int) -> Head? {
        let skipped = min(payloadCount, bytes.count - offset)
        payloadCount -= skipped
        offset += skipped
        while offset < bytes.count {
            // Length and type are the first four of nine bytes.
            if partialCount < 4 { partial = partial << 8 | UInt64(bytes[offset]) }
            partialCount += 1
            offset += 1
            guard partialCount == 9 else { continue }
            let head = Head(length: Int(partial >> 8), type: UInt8(truncatingIfNeeded: partial))
            (partial, partialCount, payloadCount) = (0, 0, head.length)
            return head
        }
        return nil
    }
}
