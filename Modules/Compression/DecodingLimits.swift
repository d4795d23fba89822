/// The limits of decoding, which protect from decompression bombs.
///
/// A gigabyte can be coded as a megabyte with gzip, and as a kilobyte with Brotli. By default the size is not limited,
/// because large downloads are coded too, and the ratio is limited to a value that ordinary content does not reach. The
/// size of bodies that a session holds in memory is also limited
/// (`URLSessionConfiguration.maximumBufferedDecodedBodySize`).
public struct DecodingLimits: Sendable, Hashable {
    /// The maximum number of decoded bytes, for each coding if several are stacked; `nil`, the default, for no limit.
    public var maximumSize: Int64?

    /// The maximum number of decoded bytes for each coded byte, 200 by default; `nil` for no limit. Text reaches 20,
    /// repetitive logs 100; gzip cannot exceed 1032.
    public var maximumRatio: Int64?

    /// The number of decoded bytes that are allowed regardless of the ratio: 16 MiB by default.
    public var ratioAllowance: Int64

    /// The maximum number of stacked codings: 5 by default.
    public var maximumCodings: Int

    /// The largest window of Zstandard as a power of two: 23 by default, 8 MiB (RFC 9659 §3). Other values than 10…27
    /// are clamped.
    public var maximumWindowLog: Int {
        didSet { maximumWindowLog = Self.windowLog(maximumWindowLog) }
    }

    /// Sets limits.
    ///
    /// - Parameters:
    ///   - maximumSize: The maximum number of decoded bytes; `nil` for no limit.
    ///   - maximumRatio: The maximum number of decoded bytes for each coded byte; `nil` for no limit.
    ///   - ratioAllowance: The number of decoded bytes that are allowed regardless of the ratio.
    ///   - maximumCodings: The maximum number of stacked codings.
    ///   - maximumWindowLog: The largest window of Zstandard as a power of two; clamped to 10…27.
    public init(
        maximumSize: Int64? = nil,
        maximumRatio: Int64? = 200,
        ratioAllowance: Int64 = 16 << 20,
        maximumCodings: Int = 5,
        maximumWindowLog: Int = 23
    ) {
        self.maximumSize = maximumSize
        self.maximumRatio = maximumRatio
        self.ratioAllowance = ratioAllowance
        self.maximumCodings = maximumCodings
        self.maximumWindowLog = Self.windowLog(maximumWindowLog)
    }

    // libzstd ignores a limit below 10 and uses its own, 27.
    private static func windowLog(_ value: Int) -> Int { min(max(value, 10), 27) }

    /// No limits on the size and ratio, for content from a trusted source.
    public static let none = DecodingLimits(maximumRatio: nil)

    /// Throws if `produced` bytes out of `consumed` exceed the limits.
    func check(produced: Int64, consumed: Int64, of coding: ContentCoding) throws(ContentCodingError) {
        if let maximumSize, produced > maximumSize {
            throw ContentCodingError(.tooLarge(limit: maximumSize), coding)
        }
        guard let maximumRatio, produced > ratioAllowance else { return }
        let (allowed, overflow) = max(1, consumed).multipliedReportingOverflow(by: maximumRatio)
        if !overflow, produced > allowed { throw ContentCodingError(.ratioTooHigh(limit: maximumRatio), coding) }
    }
}
