public import FoundationEssentials

/// A log's promise to publish a certificate (RFC 6962 §3.2).
public struct SignedCertificateTimestamp: Sendable, Hashable {
    /// The version: 1, which is written as 0.
    public let version: Int
    /// The SHA-256 of the log's key.
    public let logID: [UInt8]
    /// The time at which the log received the certificate.
    public let timestamp: Date
    /// The log's signature.
    public let signature: [UInt8]

    /// The time in milliseconds since 1970, as it is signed.
    package let milliseconds: UInt64
    package let extensions: [UInt8]
    /// The numbers of hash and signature algorithm (RFC 5246 §7.4.1.4.1).
    package let algorithm: (hash: UInt8, signature: UInt8)

    /// Returns the timestamps of a `SignedCertificateTimestampList`. Those of unknown versions are skipped.
    package static func list(_ bytes: ArraySlice<UInt8>) throws(DERError) -> [SignedCertificateTimestamp] {
        var reader = BlockReader(bytes)
        var list = BlockReader(try reader.block(lengthOctets: 2))
        guard reader.isAtEnd else { throw DERError("a list of timestamps has bytes too many") }
        var timestamps: [SignedCertificateTimestamp] = []
        while !list.isAtEnd {
            let entry = try list.block(lengthOctets: 2)
            guard entry.first == 0 else { continue }
            timestamps.append(try SignedCertificateTimestamp(entry))
        }
        return timestamps
    }

    private init(_ bytes: ArraySlice<UInt8>) throws(DERError) {
        var reader = BlockReader(bytes)
        version = Int(try reader.number(octets: 1)) + 1
        logID = Array(try reader.take(32))
        milliseconds = try reader.number(octets: 8)
        extensions = Array(try reader.block(lengthOctets: 2))
        let hash = UInt8(truncatingIfNeeded: try reader.number(octets: 1))
        let kind = UInt8(truncatingIfNeeded: try reader.number(octets: 1))
        algorithm = (hash, kind)
        signature = Array(try reader.block(lengthOctets: 2))
        guard reader.isAtEnd else { throw DERError("a timestamp has bytes too many") }
        timestamp = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Compares the signed fields and the signature.
    public static func == (left: SignedCertificateTimestamp, right: SignedCertificateTimestamp) -> Bool {
        left.logID == right.logID && left.milliseconds == right.milliseconds && left.signature == right.signature
            && left.extensions == right.extensions && left.algorithm == right.algorithm
    }

    /// Hashes the signature.
    public func hash(into hasher: inout Hasher) { hasher.combine(signature) }
}

/// Reads the presentation language of TLS (RFC 8446 §3): numbers, and blocks prefixed with their length.
package struct BlockReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func take(_ count: Int) throws(DERError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw DERError("a block is cut off") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    package mutating func number(octets: Int) throws(DERError) -> UInt64 {
        try take(octets).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func block(lengthOctets: Int) throws(DERError) -> ArraySlice<UInt8> {
        try take(Int(truncatingIfNeeded: try number(octets: lengthOctets)))
    }
}
