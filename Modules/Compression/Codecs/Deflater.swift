internal import CZlib

/// Encodes DEFLATE in one of its wrappings, with zlib.
///
/// `@unchecked Sendable`: confined to the ContentEncoder that owns it.
final class Deflater: Encoding, @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let coding: ContentCoding

    init(_ wrapping: DeflateWrapping, level: Int, for coding: ContentCoding) throws(ContentCodingError) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = airframe_deflate_init(stream, Int32(clamping: level), wrapping.windowBits)
        guard code == Z_OK else { throw ContentCodingError(.outOfMemory, coding) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        _ action: EncodingAction
    ) throws(ContentCodingError) -> CodecStep {
        let (offered, room) = stream.offer(input, output)
        let flush =
            switch action {
            case .take: Z_NO_FLUSH
            case .flush: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        let code = deflate(stream, flush)
        // A flush is complete if room is left in the output. Another call would begin another flush.
        let isDone = action == .finish ? code == Z_STREAM_END : stream.pointee.avail_out > 0
        let step = stream.step(offered: offered, room: room, isAtEnd: isDone)
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            throw ContentCodingError(.outOfMemory, coding, libraryMessage: "zlib error \(code)")
        }
        return step
    }
}
