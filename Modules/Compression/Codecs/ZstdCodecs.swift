internal import CZstd

/// Decodes one frame of Zstandard, or a skippable frame, with libzstd.
///
/// `@unchecked Sendable`: confined to the ContentDecoder that owns it.
final class ZstdDecoding: Decoding, @unchecked Sendable {
    private let stream: OpaquePointer
    private let windowLog: Int

    init(windowLog: Int) throws(ContentCodingError) {
        guard let stream = ZSTD_createDStream() else { throw ContentCodingError(.outOfMemory, .zstd) }
        self.stream = stream
        self.windowLog = windowLog
        _ = ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(clamping: windowLog))
    }

    deinit { ZSTD_freeDStream(stream) }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> CodecStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(stream, &target, &source)
        if ZSTD_isError(result) != 0 {
            let words = ZSTD_getErrorName(result).map { String(cString: $0) }
            let reason: ContentCodingError.Reason =
                switch ZSTD_getErrorCode(result) {
                case ZSTD_error_frameParameter_windowTooLarge: .windowTooLarge(limit: 1 << windowLog)
                case ZSTD_error_memory_allocation: .outOfMemory
                default: .corrupt
                }
            throw ContentCodingError(reason, .zstd, libraryMessage: words)
        }
        return CodecStep(consumed: source.pos, produced: target.pos, isAtEnd: result == 0)
    }

    /// Whether four bytes begin a frame or a skippable frame (RFC 8878 §3.1.1, §3.1.2).
    static func isFrame(_ bytes: some Collection<UInt8>) -> Bool {
        let magic = Array(bytes.prefix(4))
        guard magic.count == 4 else { return false }
        return magic == [0x28, 0xB5, 0x2F, 0xFD] || (magic[0] & 0xF0 == 0x50 && magic[1...] == [0x2A, 0x4D, 0x18])
    }
}

/// Encodes Zstandard with libzstd. The window stays within the 8 MiB that every decoder must support (RFC 9659).
///
/// `@unchecked Sendable`: confined to the ContentEncoder that owns it.
final class ZstdEncoding: Encoding, @unchecked Sendable {
    private let stream: OpaquePointer

    init(level: Int) throws(ContentCodingError) {
        guard let stream = ZSTD_createCStream() else { throw ContentCodingError(.outOfMemory, .zstd) }
        self.stream = stream
        _ = ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, Int32(clamping: level))
        _ = ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1)
    }

    deinit { ZSTD_freeCStream(stream) }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        _ action: EncodingAction
    ) throws(ContentCodingError) -> CodecStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let directive =
            switch action {
            case .take: ZSTD_e_continue
            case .flush: ZSTD_e_flush
            case .finish: ZSTD_e_end
            }
        let left = ZSTD_compressStream2(stream, &target, &source, directive)
        if ZSTD_isError(left) != 0 {
            let words = ZSTD_getErrorName(left).map { String(cString: $0) }
            throw ContentCodingError(.outOfMemory, .zstd, libraryMessage: words)
        }
        let isDone = action == .take ? source.pos == source.size : left == 0
        return CodecStep(consumed: source.pos, produced: target.pos, isAtEnd: isDone)
    }
}
