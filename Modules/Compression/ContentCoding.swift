internal import HTTPTypes

/// A content coding (RFC 9110 §8.4.1), which compresses a representation for its transfer.
///
/// The raw value is the coding's name in `Content-Encoding` and `Accept-Encoding`.
public enum ContentCoding: String, CaseIterable, Sendable, Hashable {
    /// Brotli (RFC 7932).
    case brotli = "br"
    /// The gzip file format (RFC 1952).
    case gzip
    /// The zlib format (RFC 1950). Decoders also accept raw DEFLATE (RFC 1951), which many servers send under this name
    /// (RFC 9110 §8.4.1.2).
    case deflate
    /// Zstandard (RFC 8878), with windows of at most 8 MiB (RFC 9659).
    case zstd

    /// Creates the coding with a name, which is case-insensitive. `x-gzip` is another name for gzip (RFC 9110
    /// §8.4.1.3).
    ///
    /// - Parameter name: A name in `Content-Encoding`.
    public init?(name: some StringProtocol) {
        let name = name.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }
}

extension ContentCoding: CustomStringConvertible {
    /// The coding's name.
    public var description: String { rawValue }
}

/// The names in a `Content-Encoding` field, in the order in which the codings were applied (RFC 9110 §8.4).
struct AppliedCodings {
    /// The names in lower case, without `identity`, which means no coding.
    let names: [String]

    init(_ fields: HTTPFields) {
        names = fields[values: .contentEncoding].flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }

    /// The codings, or `nil` when one of them is not known here.
    var known: [ContentCoding]? {
        var codings: [ContentCoding] = []
        for name in names {
            guard let coding = ContentCoding(name: name) else { return nil }
            codings.append(coding)
        }
        return codings
    }
}
