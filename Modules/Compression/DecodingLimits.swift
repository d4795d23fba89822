/// What decoding may cost: the defence against decompression bombs.
///
/// A megabyte can become a gigabyte with gzip, and a kilobyte can with Brotli. The default is no bound on the size,
/// since large downloads are coded too, and a bound on the ratio, which honest content does not reach. Bodies that a
/// session keeps in memory have a bound on their size besides
/// (`URLSessionConfiguration.maximumBufferedDecodedBodySize`).
public struct DecodingLimits: Sendable, Hashable {
    /// The most bytes to bring out, at every coding where several are stacked; `nil`, the default, for any number.
    public var maximumSize: Int64?

    /// How many bytes may come out for each that went in, 200 by default; `nil` for any number. Text reaches 20, a log
    /// that repeats itself 100; gzip cannot exceed 1032.
    public var maximumRatio: Int64?

    /// The number of bytes that may come out whatever the ratio: 16 MiB by default.
    public var ratioAllowance: Int64

    /// The most codings that may be stacked: 5 by default.
    public var maximumCodings: Int

    /// The largest window of Zstandard as a power of two: 23 by default, 8 MiB (RFC 9659 §3). From 10 to 27.
    public var maximumWindowLog: Int

    /// Sets limits.
    ///
    /// - Parameters:
    ///   - maximumSize: The most bytes to bring out; `nil` for any number.
    ///   - maximumRatio: How many bytes may come out for each that went in; `nil` for any number.
    ///   - ratioAllowance: The number of bytes that may come out whatever the ratio.
    ///   - maximumCodings: The most codings that may be stacked.
    ///   - maximumWindowLog: The largest window of Zstandard as a power of two, from 10 to 27.
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
        self.maximumWindowLog = min(max(maximumWindowLog, 10), 27)
    }

    /// No bound on what comes out: for content whose maker is trusted.
    public static let none = DecodingLimits(maximumRatio: nil)

    /// Fails when `produced` bytes out of `consumed` are too many.
    func check(produced: Int64, consumed: Int64, of coding: ContentCoding) throws(ContentCodingError) {
        if let maximumSize, produced > maximumSize {
            throw ContentCodingError(.tooLarge(limit: maximumSize), coding)
        }
        guard let maximumRatio, produced > ratioAllowance else { return }
        let (allowed, overflow) = max(1, consumed).multipliedReportingOverflow(by: maximumRatio)
        if !overflow, produced > allowed { throw ContentCodingError(.ratioTooHigh(limit: maximumRatio), coding) }
    }
}
