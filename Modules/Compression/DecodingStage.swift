/// One coding of a decoder's chain, with its undecoded bytes and its state.
///
/// A class, so that a chain can be an array of them; it belongs to one ``ContentDecoder``.
///
/// `@unchecked Sendable`: confined to the ContentDecoder that owns it, which is not copyable.
final class DecodingStage: @unchecked Sendable {
    private enum Phase {
        /// A stream is expected: the first one, or one more after it.
        case expecting(isFirst: Bool)
        /// In the middle of a stream.
        case decoding(any Decoding)
        /// The streams have ended; further input is ignored.
        case ended
    }

    let coding: ContentCoding
    private let limits: DecodingLimits
    private var phase = Phase.expecting(isFirst: true)
    private var input: [UInt8] = []
    private var position = 0
    private(set) var isInputOver = false
    /// The number of bytes produced.
    private(set) var produced: Int64 = 0
    /// The number of bytes consumed.
    private(set) var consumed: Int64 = 0

    init(_ coding: ContentCoding, limits: DecodingLimits) {
        self.coding = coding
        self.limits = limits
    }

    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Adds coded bytes.
    func push(_ bytes: UnsafeRawBufferPointer) {
        guard !hasEnded else { return }
        input.removeFirst(position)
        position = 0
        input.append(contentsOf: bytes)
    }

    /// Ends the input.
    func endInput() { isInputOver = true }

    /// Decodes into `output`, which is not empty.
    ///
    /// - Returns: The number of bytes produced; 0 if more input is needed or the streams have ended.
    func pull(into output: UnsafeMutableRawBufferPointer) throws(ContentCodingError) -> Int {
        while true {
            switch phase {
            case .expecting(let isFirst):
                guard try openStream(isFirst: isFirst) else { return 0 }
            case .decoding(let codec):
                let step = try run(codec, output)
                if step.isAtEnd { phase = .expecting(isFirst: false) }
                if step.produced > 0 { return step.produced }
                if step.isAtEnd { continue }
                if step.consumed == 0 {
                    guard position == input.count else { throw ContentCodingError(.corrupt, coding) }
                    guard isInputOver else { return 0 }
                    throw ContentCodingError(.truncated, coding)
                }
            case .ended:
                input = []
                position = 0
                return 0
            }
        }
    }

    private func run(
        _ codec: any Decoding,
        _ output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> CodecStep {
        let result = input.withUnsafeBytes { bytes in
            Result { () throws(ContentCodingError) in
                try codec.step(UnsafeRawBufferPointer(rebasing: bytes[position...]), into: output)
            }
        }
        let step = try result.get()
        position += step.consumed
        consumed += Int64(step.consumed)
        produced += Int64(step.produced)
        return step
    }

    /// Begins a stream, or ends the stage. Returns whether decoding can continue.
    private func openStream(isFirst: Bool) throws(ContentCodingError) -> Bool {
        let available = input.count - position
        guard let needed = isFirst ? coding.bytesToBegin : coding.bytesToContinue else {
            phase = .ended
            return true
        }
        if available < needed {
            guard isInputOver else { return false }
            // Servers send empty content with the name of a coding.
            if available == 0 || !isFirst {
                phase = .ended
                return true
            }
        }
        guard isFirst || coding.continues(with: input[position...]) else {
            phase = .ended
            return true
        }
        phase = .decoding(try coding.makeDecoding(of: input[position...], limits))
        return true
    }
}

extension ContentCoding {
    /// The number of bytes needed to choose the format of the first stream.
    fileprivate var bytesToBegin: Int { self == .deflate ? 2 : 1 }

    /// The number of bytes after a stream that show whether another stream follows; `nil` if none can.
    fileprivate var bytesToContinue: Int? {
        switch self {
        case .gzip: 2
        case .zstd: 4
        case .brotli, .deflate: nil
        }
    }

    /// Whether bytes after a stream begin another one: a member (RFC 1952 §2.2) or a frame (RFC 8878 §3). Other bytes
    /// are ignored, as browsers and gzip do.
    fileprivate func continues(with bytes: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .gzip: bytes.starts(with: [0x1F, 0x8B])
        case .zstd: ZstdDecoding.isFrame(bytes)
        case .brotli, .deflate: false
        }
    }

    fileprivate func makeDecoding(
        of bytes: ArraySlice<UInt8>,
        _ limits: DecodingLimits
    ) throws(ContentCodingError) -> any Decoding {
        switch self {
        case .brotli: return try BrotliDecoding()
        case .zstd: return try ZstdDecoding(windowLog: limits.maximumWindowLog)
        case .gzip: return try Inflater(.gzip, for: .gzip)
        case .deflate:
            guard let first = bytes.first, let second = bytes.dropFirst().first else {
                return try Inflater(.raw, for: .deflate)
            }
            return try Inflater(DeflateWrapping(deflateBeginningWith: first, second), for: .deflate)
        }
    }
}
