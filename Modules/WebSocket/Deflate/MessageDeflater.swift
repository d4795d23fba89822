internal import AirframeWebSocketProtocol
internal import CZlib
package import FoundationEssentials

/// Compresses messages with zlib (RFC 7692 §7.2.1).
///
/// The first compressed message allocates zlib's state. A message that leaves no context releases it.
///
/// `@unchecked Sendable`: it is confined to the task that holds the turn to send a message.
package final class MessageDeflater: MessageCompressor, @unchecked Sendable {
    private let windowBits: Int
    private let keepsContext: Bool
    private let level: Int
    private var stream: UnsafeMutablePointer<z_stream>?

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - windowBits: The base-2 logarithm of the window, 8 to 15.
    ///   - keepsContext: Whether a message may refer to earlier ones.
    ///   - level: zlib's level.
    package init(windowBits: Int, keepsContext: Bool, level: Int = 6) {
        self.windowBits = windowBits
        self.keepsContext = keepsContext
        self.level = level
    }

    deinit { free() }

    package func compress(_ data: Data, isLast: Bool) -> Data? {
        guard let stream = opened() else { return nil }
        var output = Data(count: data.count / 2 + 64)
        var (consumed, produced) = (0, 0)
        while true {
            if produced == output.count { output.append(Data(count: output.count)) }
            let step = data.withUnsafeBytes { input in
                output.withUnsafeMutableBytes { output in
                    stream.run(input, from: consumed, into: output, from: produced) { deflate(stream, Z_SYNC_FLUSH) }
                }
            }
            consumed += step.consumed
            produced += step.produced
            // Unused room in the output is zlib's sign that the flush is complete.
            if consumed == data.count, produced < output.count { break }
        }
        output.removeLast(output.count - produced)
        guard isLast else { return output }
        if !keepsContext { free() }
        // The end of an empty stored block is removed (§7.2.1). An empty message leaves nothing to flush and becomes
        // an empty block (§7.2.3.6).
        guard output.count >= 4 else { return Data([0x00]) }
        output.removeLast(4)
        return output
    }

    private func opened() -> UnsafeMutablePointer<z_stream>? {
        if let stream { return stream }
        let made = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        made.initialize(to: z_stream())
        // zlib does not support windows of 256 bytes for compression and uses 512. With Z_RLE all distances are one
        // byte, which every window holds.
        guard airframe_deflate_init(made, Int32(level), -Int32(max(windowBits, 9))) == Z_OK else {
            made.deallocate()
            return nil
        }
        if windowBits < 9 { deflateParams(made, Int32(level), Z_RLE) }
        stream = made
        return made
    }

    private func free() {
        guard let stream else { return }
        deflateEnd(stream)
        stream.deallocate()
        self.stream = nil
    }
}
