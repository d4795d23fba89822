internal import AirframeAuthentication
public import Foundation

/// The hash that a file must have.
public struct TransferChecksum: Codable, Sendable, Hashable {
    /// A hash function.
    public enum Algorithm: String, Codable, Sendable, Hashable, CaseIterable {
        /// SHA-512
        case sha512 = "sha-512"
        /// SHA-256
        case sha256 = "sha-256"
        /// SHA-1: detects damage, not attacks
        case sha1 = "sha-1"
        /// MD5: detects damage, not attacks
        case md5 = "md5"

        /// The number of bytes of a hash.
        public var byteCount: Int {
            switch self {
            case .sha512: 64
            case .sha256: 32
            case .sha1: 20
            case .md5: 16
            }
        }

        var function: HashFunction {
            switch self {
            case .sha512: .sha512
            case .sha256: .sha256
            case .sha1: .sha1
            case .md5: .md5
            }
        }
    }

    /// The hash function.
    public let algorithm: Algorithm
    /// The hash.
    public let bytes: Data

    /// Creates a checksum from the bytes of a hash.
    public init(_ algorithm: Algorithm, bytes: Data) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Parses `sha-256:HEX`, `sha256:HEX`, or digits alone, whose number identifies the function.
    ///
    /// - Returns: `nil` for an unknown function, or a number of hexadecimal digits that does not fit it.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard let digits = parts.last, digits.utf8.count.isMultiple(of: 2) else { return nil }
        var bytes = Data()
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16), rest.first != "+", rest.first != "-" else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        let named = parts.count == 2 ? parts[0].lowercased().replacing("-", with: "") : nil
        let found = Algorithm.allCases.first { algorithm in
            named.map { $0 == algorithm.rawValue.replacing("-", with: "") } ?? (algorithm.byteCount == bytes.count)
        }
        guard let found, found.byteCount == bytes.count else { return nil }
        self.init(found, bytes: bytes)
    }
}

extension TransferChecksum: CustomStringConvertible {
    /// The function's name and the hash in hexadecimal digits: `sha-256:9f86…`.
    public var description: String { "\(algorithm.rawValue):\(bytes.hexadecimal)" }
}
