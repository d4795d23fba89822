internal import AirframeTransport
internal import CZlib

/// Decodes DEFLATE in one of its wrappings, with zlib, which verifies header flags, checksum and length.
///
/// `@unchecked Sendable`: confined to the ContentDecoder that owns it.
final class Inflater: Decoding, @unchecked Sendable {
    private let stream: UnsafeMutablePointer<z_stream>
    private let coding: ContentCoding

    init(_ wrapping: DeflateWrapping, for coding: ContentCoding) throws(ContentCodingError) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = airframe_inflate_init(stream, wrapping.windowBits)
        guard code == Z_OK else { throw ContentCodingError(.outOfMemory, coding) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> CodecStep {
        let (offered, room) = stream.offer(input, output)
        let code = inflate(stream, Z_NO_FLUSH)
        let step = stream.step(offered: offered, room: room, isAtEnd: code == Z_STREAM_END)
        switch code {
        // Z_BUF_ERROR means that no progress was possible: no input, or no room.
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR: return step
        case Z_MEM_ERROR: throw ContentCodingError(.outOfMemory, coding)
        default:
            let words = stream.pointee.msg.map { String(cString: $0) }
            throw ContentCodingError(.corrupt, coding, libraryMessage: words ?? "zlib error \(code)")
        }
    }
}

/// The wrapping of DEFLATE data.
enum DeflateWrapping {
    /// No wrapping (RFC 1951).
    case raw
    /// The zlib format (RFC 1950).
    case zlib
    /// The gzip format (RFC 1952).
    case gzip

    /// The `windowBits` of zlib's functions for the wrapping, with the largest window.
    var windowBits: Int32 {
        switch self {
        case .raw: -15
        case .zlib: 15
        case .gzip: 15 + 16
        }
    }

    /// The wrapping of content that was sent as `deflate`. Some servers send the zlib format, which is correct, and
    /// others raw data. The two bytes of zlib's header (RFC 1950 §2.2) distinguish them: as raw data they would be a
    /// stored block with padding that no encoder writes.
    init(deflateBeginningWith first: UInt8, _ second: UInt8) {
        let isHeader = first & 0x0F == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
        self = isHeader ? .zlib : .raw
    }
}

extension UnsafeMutablePointer<z_stream> {
    /// Sets the stream's input and output, and returns the number of bytes of each: zlib counts in 32 bits.
    func offer(
        _ input: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) -> (offered: UInt32, room: UInt32) {
        let offered = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        pointee.avail_in = offered
        pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        pointee.avail_out = room
        return (offered, room)
    }

    func step(offered: UInt32, room: UInt32, isAtEnd: Bool) -> CodecStep {
        defer {
            // The stream holds no pointers into the caller's memory between calls.
            pointee.next_in = nil
            pointee.next_out = nil
        }
        return CodecStep(
            consumed: Int(offered - pointee.avail_in),
            produced: Int(room - pointee.avail_out),
            isAtEnd: isAtEnd
        )
    }
}
