package import AirframeWebSocketProtocol
internal import CZlib
package import FoundationEssentials

/// Decompresses messages with zlib (RFC 7692 §7.2.2).
///
/// The first compressed message allocates zlib's state. A message that leaves no context releases it.
///
/// Quirk: zlib checks distances against its window and the output of the current call. A peer that exceeds a
/// negotiated window of less than 15 bits is therefore refused or not, depending on how its bytes arrive. Its messages
/// are never read as other bytes. A window of 15 bits for every peer would accept all of them and take 32 KiB per
/// connection (Docs/Decisions/0116-smaller-windows-save-memory.md).
///
/// `@unchecked Sendable`: the lock of the decoder that owns it guards it.
package final class MessageInflater: MessageDecompressor, @unchecked Sendable {
    /// The maximum length of a piece that ``next()`` returns, in bytes. No call decompresses more.
    package static let pieceLength = 32 << 10

    private let windowBits: Int
    private let keepsContext: Bool
    private var stream: UnsafeMutablePointer<z_stream>?
    private var input = Data()
    private var position = 0
    /// Whether the input ends a message.
    private var isFinishing = false
    /// Whether the consumed input ends with a block.
    private var isAtBlockEnd = false

    /// Creates a decompressor.
    ///
    /// - Parameters:
    ///   - windowBits: The base-2 logarithm of the peer's window.
    ///   - keepsContext: Whether a message may refer to earlier ones.
    package init(windowBits: Int, keepsContext: Bool) {
        self.windowBits = windowBits
        self.keepsContext = keepsContext
    }

    deinit { free() }

    package func append(_ data: Data) {
        input = position < input.count ? input.subdata(in: position..<input.count) + data : Data(data)
        position = 0
    }

    package func finishMessage() {
        // The end of an empty stored block, which the sender removed (§7.2.1).
        append(Data([0x00, 0x00, 0xFF, 0xFF]))
        isFinishing = true
    }

    package func next() throws(ProtocolViolation) -> Data? {
        guard let stream = opened() else {
            throw ProtocolViolation(closeCode: 1011, message: "zlib has no memory left", section: "RFC 7692 §7.2.2")
        }
        while true {
            var output = Data(count: min(Self.pieceLength, max(1024, (input.count - position) * 8)))
            let code = inflate(stream, into: &output)
            switch code {
            // Z_BUF_ERROR: zlib needs more input.
            case Z_OK, Z_BUF_ERROR: break
            // A block may be marked as the last one although more blocks follow (§7.2.3.4).
            case Z_STREAM_END: inflateResetKeep(stream)
            default:
                // Output from before the fault is returned first, regardless of how the input is cut. zlib reports the
                // fault again.
                if !output.isEmpty { return output }
                let words = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)"
                throw .invalidPayload(
                    "a compressed message cannot be decompressed: \(words)", section: "RFC 7692 §7.2.2")
            }
            if !output.isEmpty { return output }
            if position == input.count || code == Z_BUF_ERROR {
                input = Data()
                position = 0
                guard !isFinishing || isAtBlockEnd else {
                    throw .invalidPayload("a compressed message is truncated", section: "RFC 7692 §7.2.2")
                }
                return nil
            }
        }
    }

    package func endMessage() {
        isFinishing = false
        if !keepsContext { free() }
    }

    /// Decompresses once, and truncates `output` to the result.
    private func inflate(_ stream: UnsafeMutablePointer<z_stream>, into output: inout Data) -> Int32 {
        let room = output.count
        let (code, consumed, produced) = input.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                stream.run(input, from: position, into: output, from: 0) { CZlib.inflate(stream, Z_NO_FLUSH) }
            }
        }
        position += consumed
        // Bit 7 marks the end of a block. The next call clears it, even if it makes no progress.
        isAtBlockEnd =
            code == Z_STREAM_END || stream.pointee.data_type & 128 != 0
            || isAtBlockEnd && consumed == 0 && produced == 0
        if produced < room { output.removeLast(room - produced) }
        return code
    }

    private func opened() -> UnsafeMutablePointer<z_stream>? {
        if let stream { return stream }
        let made = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        made.initialize(to: z_stream())
        guard airframe_inflate_init(made, -Int32(windowBits)) == Z_OK else {
            made.deallocate()
            return nil
        }
        stream = made
        return made
    }

    private func free() {
        guard let stream else { return }
        inflateEnd(stream)
        stream.deallocate()
        self.stream = nil
    }
}

extension UnsafeMutablePointer<z_stream> {
    /// Calls zlib with input and output from the two positions.
    ///
    /// - Returns: zlib's code, and the number of bytes consumed and produced.
    func run(
        _ input: UnsafeRawBufferPointer,
        from start: Int,
        into output: UnsafeMutableRawBufferPointer,
        from room: Int,
        _ call: () -> Int32
    ) -> (code: Int32, consumed: Int, produced: Int) {
        let offered = UInt32(clamping: input.count - start)
        let free = UInt32(clamping: output.count - room)
        let bytes = input.bindMemory(to: UInt8.self).baseAddress
        pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: bytes.map { $0 + start })
        pointee.avail_in = offered
        pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress.map { $0 + room }
        pointee.avail_out = free
        defer {
            // The stream keeps no pointers to borrowed memory between two calls.
            pointee.next_in = nil
            pointee.next_out = nil
        }
        let code = call()
        return (code, Int(offered - pointee.avail_in), Int(free - pointee.avail_out))
    }
}
