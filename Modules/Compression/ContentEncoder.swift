package import FoundationEssentials

/// Encodes content incrementally.
///
/// ```swift
/// var encoder = try ContentEncoder(.gzip)
/// for chunk in chunks { coded += try encoder.encode(chunk) }
/// coded += try encoder.finish()
/// ```
public struct ContentEncoder: ~Copyable, Sendable {
    private let coding: ContentCoding
    private let codec: any Encoding
    private var isFinished = false

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - coding: The coding. ``ContentCoding/deflate`` produces the zlib format (RFC 9110 §8.4.1.2).
    ///   - level: The level, within the coding's ``ContentCoding/levels``; its ``ContentCoding/defaultLevel`` if `nil`.
    /// - Throws: ``ContentCodingError/Reason/levelOutOfRange(_:)``.
    public init(_ coding: ContentCoding, level: Int? = nil) throws(ContentCodingError) {
        let level = level ?? coding.defaultLevel
        guard coding.levels.contains(level) else {
            throw ContentCodingError(.levelOutOfRange(coding.levels), coding)
        }
        let codec = try coding.makeEncoding(level: level)
        self.coding = coding
        self.codec = codec
    }

    /// Encodes `input`, and returns the coded bytes that are ready; often none, because more input compresses better.
    ///
    /// - Throws: ``ContentCodingError/Reason/finished`` after ``finish()``.
    public mutating func encode(_ input: RawSpan) throws(ContentCodingError) -> [UInt8] {
        try input.withUnsafeBytes { bytes throws(ContentCodingError) in try run(bytes, .take) }
    }

    /// Encodes `input`, and returns the coded bytes that are ready; often none, because more input compresses better.
    ///
    /// - Throws: ``ContentCodingError/Reason/finished`` after ``finish()``.
    public mutating func encode(_ input: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        try encode(input.span.bytes)
    }

    /// Returns the coded bytes of all input so far, so that the reader can decode it. This reduces the compression.
    ///
    /// - Throws: ``ContentCodingError/Reason/finished`` after ``finish()``.
    public mutating func flush() throws(ContentCodingError) -> [UInt8] {
        try run(UnsafeRawBufferPointer(start: nil, count: 0), .flush)
    }

    /// Ends the content, and returns the remaining coded bytes.
    ///
    /// - Throws: ``ContentCodingError/Reason/finished`` if called a second time.
    public mutating func finish() throws(ContentCodingError) -> [UInt8] {
        let end = try run(UnsafeRawBufferPointer(start: nil, count: 0), .finish)
        isFinished = true
        return end
    }

    /// Encodes a chunk of data; see ``encode(_:)-([UInt8])``.
    package mutating func encode(_ input: Data) throws(ContentCodingError) -> Data {
        Data(try encode(input.bytes))
    }

    private mutating func run(
        _ input: UnsafeRawBufferPointer,
        _ action: EncodingAction
    ) throws(ContentCodingError) -> [UInt8] {
        guard !isFinished else { throw ContentCodingError(.finished, coding) }
        var coded: [UInt8] = []
        var rest = input[...]
        let pieceSize = min(max(input.count, 1 << 10), 64 << 10)
        try withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 16) { buffer throws(ContentCodingError) in
            while true {
                let step = try codec.step(UnsafeRawBufferPointer(rebasing: rest), into: buffer, action)
                rest = rest.dropFirst(step.consumed)
                coded.append(contentsOf: buffer[..<step.produced])
                if step.isAtEnd, rest.isEmpty { return }
            }
        }
        return coded
    }
}

extension ContentCoding {
    /// The levels of compression: from 0 to 9 for gzip and deflate, from 0 to 11 for Brotli, from 1 to 19 for
    /// Zstandard, whose higher levels need windows that decoders may refuse.
    public var levels: ClosedRange<Int> {
        switch self {
        case .gzip, .deflate: 0...9
        case .brotli: 0...11
        case .zstd: 1...19
        }
    }

    /// The level for content that is compressed while it is sent: 6 for gzip and deflate, 5 for Brotli, 3 for
    /// Zstandard.
    public var defaultLevel: Int {
        switch self {
        case .gzip, .deflate: 6
        case .brotli: 5
        case .zstd: 3
        }
    }

    fileprivate func makeEncoding(level: Int) throws(ContentCodingError) -> any Encoding {
        switch self {
        case .brotli: try BrotliEncoding(level: level)
        case .gzip: try Deflater(.gzip, level: level, for: .gzip)
        case .deflate: try Deflater(.zlib, level: level, for: .deflate)
        case .zstd: try ZstdEncoding(level: level)
        }
    }

    /// Returns `data`, encoded.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - level: The level, within ``levels``; ``defaultLevel`` if `nil`.
    package func encoded(_ data: Data, level: Int? = nil) throws(ContentCodingError) -> Data {
        var encoder = try ContentEncoder(self, level: level)
        var coded = try encoder.encode(data)
        coded.append(contentsOf: try encoder.finish())
        return coded
    }
}
