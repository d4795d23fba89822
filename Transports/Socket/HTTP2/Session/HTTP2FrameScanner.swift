/// Finds frame headers (RFC 9113 §4.1) in received bytes.
///
/// libnghttp2 does not report frames that it ignores: unknown types and frames on closed streams. The
/// ``HTTP2FrameBudget`` must count them too.
struct HTTP2FrameScanner: Sendable {
    /// The size of a frame header in bytes.
    static let headSize = 9

    /// The length, type and stream in a frame header.
    struct Head: Sendable {
        let length: Int
        let type: UInt8
        let stream: Int32

        /// - Parameters:
        ///   - start: The header's first four bytes.
        ///   - id: Its last four bytes.
        fileprivate init(_ start: UInt32, _ id: UInt32) {
            length = Int(start >> 8)
            type = UInt8(truncatingIfNeeded: start)
            stream = Int32(truncatingIfNeeded: id & 0x7FFF_FFFF)
        }
    }

    /// The first four bytes of an incomplete header and its last four, as far as they have arrived.
    private var partial: (start: UInt32, id: UInt32) = (0, 0)
    /// The number of the header's bytes that have arrived.
    private(set) var partialCount = 0
    /// The number of payload bytes that have not arrived.
    private var payloadCount = 0

    /// Skips the payload of the last frame, all of which has arrived.
    mutating func skipPayload() { payloadCount = 0 }

    /// Moves `offset` past the part of the last frame's payload that has arrived.
    mutating func finishFrame(in bytes: UnsafeRawBufferPointer, from offset: inout Int) {
        let skipped = min(payloadCount, bytes.count - offset)
        payloadCount -= skipped
        offset += skipped
    }

    /// Returns the next complete header in `bytes` and moves `offset` past it; `nil` if the bytes are used up.
    mutating func next(in bytes: UnsafeRawBufferPointer, from offset: inout Int) -> Head? {
        finishFrame(in: bytes, from: &offset)
        if partialCount == 0, bytes.count - offset >= Self.headSize {
            let start = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
            let id = bytes.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self).bigEndian
            offset += Self.headSize
            return begin(Head(start, id))
        }
        while offset < bytes.count {
            let byte = UInt32(bytes[offset])
            // The fifth byte has the flags.
            if partialCount < 4 { partial.start = partial.start << 8 | byte }
            if partialCount > 4 { partial.id = partial.id << 8 | byte }
            partialCount += 1
            offset += 1
            guard partialCount == Self.headSize else { continue }
            let head = Head(partial.start, partial.id)
            partial = (0, 0)
            partialCount = 0
            return begin(head)
        }
        return nil
    }

    private mutating func begin(_ head: Head) -> Head {
        payloadCount = head.length
        return head
    }
}
