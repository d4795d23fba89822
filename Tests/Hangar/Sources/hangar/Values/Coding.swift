import CHangar
import Foundation

/// Content codings (RFC 9110 §8.4.1), of whole bodies.
enum Coding {
    case gzip
    case zlib
    /// DEFLATE without zlib's frame: wrong by the RFC, sent by some servers.
    case rawDeflate
    case brotli
    case zstd

    func encode(_ data: Data) throws -> Data {
        switch self {
        case .gzip: try Self.deflate(data, windowBits: 15 + 16)
        case .zlib: try Self.deflate(data, windowBits: 15)
        case .rawDeflate: try Self.deflate(data, windowBits: -15)
        case .brotli: try Self.brotli(data)
        case .zstd: try Self.zstd(data)
        }
    }

    private static func deflate(_ data: Data, windowBits: Int32) throws -> Data {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw Failure(500, "zlib refused its parameters") }
        defer { deflateEnd(&stream) }
        var input = Array(data)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                return CHangar.deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw Failure(500, "zlib ended with status \(status)") }
        return Data(output.prefix(Int(stream.total_out)))
    }

    private static func brotli(_ data: Data) throws -> Data {
        let input = Array(data)
        var output = [UInt8](repeating: 0, count: max(BrotliEncoderMaxCompressedSize(input.count), 64))
        var size = output.count
        guard
            BrotliEncoderCompress(
                5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, input.count, input, &size, &output) != 0
        else { throw Failure(500, "brotli did not encode \(input.count) bytes") }
        return Data(output.prefix(size))
    }

    private static func zstd(_ data: Data) throws -> Data {
        let input = Array(data)
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(input.count))
        let size = ZSTD_compress(&output, output.count, input, input.count, 3)
        guard ZSTD_isError(size) == 0 else { throw Failure(500, "zstd did not encode \(input.count) bytes") }
        return Data(output.prefix(size))
    }
}
