/// Finds frame headers (RFC 9113 §4.1) in received bytes.
///
/// libnghttp2 does not report frames that it ignores: unknown types and frames on closed streams. The
/// ``HTTP2FrameBudget`` must count them too.
struct HTTP2FrameScanner: Sendable {
    /// The length and type in a frame header.
    struct Head: Sendable {
        let length: Int
        let type: UInt8
    }

    /// The bytes of an incomplete header, the latest in the low bits.
    private var partial: UInt64 = 0
    /// The number of these bytes.
    private(set) var partialCount = 0
    /// The number of payload bytes that have not arrived.
    private var payloadCount = 0

    /// Skips the payload of the last frame, all of which has arrived.
    mutating func skipPayload() { payloadCount = 0 }

    /// Returns the next complete header in `bytes` and moves `offset` past it; `nil` if the bytes are used up.
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
