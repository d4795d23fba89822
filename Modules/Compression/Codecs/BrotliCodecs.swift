internal import CBrotli

/// Decodes Brotli with libbrotlidec. Windows are those of RFC 7932, at most 16 MiB; "large window" streams are
/// rejected.
///
/// `@unchecked Sendable`: confined to the ContentDecoder that owns it.
final class BrotliDecoding: Decoding, @unchecked Sendable {
    private let state: OpaquePointer

    init() throws(ContentCodingError) {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
            throw ContentCodingError(.outOfMemory, .brotli)
        }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> CodecStep {
        var available = input.count
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var room = output.count
        var place = output.bindMemory(to: UInt8.self).baseAddress
        let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &place, nil)
        if result == BROTLI_DECODER_RESULT_ERROR {
            let words = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state)).map { String(cString: $0) }
            throw ContentCodingError(.corrupt, .brotli, libraryMessage: words)
        }
        return CodecStep(
            consumed: input.count - available,
            produced: output.count - room,
            isAtEnd: result == BROTLI_DECODER_RESULT_SUCCESS
        )
    }
}

/// Encodes Brotli with libbrotlienc.
///
/// `@unchecked Sendable`: confined to the ContentEncoder that owns it.
final class BrotliEncoding: Encoding, @unchecked Sendable {
    private let state: OpaquePointer

    init(level: Int) throws(ContentCodingError) {
        guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else {
            throw ContentCodingError(.outOfMemory, .brotli)
        }
        self.state = state
        _ = BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, UInt32(clamping: level))
    }

    deinit { BrotliEncoderDestroyInstance(state) }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        _ action: EncodingAction
    ) throws(ContentCodingError) -> CodecStep {
        var available = input.count
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var room = output.count
        var place = output.bindMemory(to: UInt8.self).baseAddress
        let operation =
            switch action {
            case .take: BROTLI_OPERATION_PROCESS
            case .flush: BROTLI_OPERATION_FLUSH
            case .finish: BROTLI_OPERATION_FINISH
            }
        let result = BrotliEncoderCompressStream(state, operation, &available, &next, &room, &place, nil)
        guard result != 0 else { throw ContentCodingError(.outOfMemory, .brotli) }
        let hasMore = BrotliEncoderHasMoreOutput(state) != 0
        let isDone = action == .finish ? BrotliEncoderIsFinished(state) != 0 : available == 0 && !hasMore
        return CodecStep(consumed: input.count - available, produced: output.count - room, isAtEnd: isDone)
    }
}
