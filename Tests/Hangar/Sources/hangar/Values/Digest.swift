import CHangar
import Foundation

/// A running hash, computed by libcrypto, whose context it owns.
final class Digest {
    enum Algorithm: String, Sendable, CaseIterable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
        case sha512Half = "SHA-512-256"
    }

    private let context: OpaquePointer

    /// Throws if libcrypto refuses the algorithm, as one in FIPS mode does with MD5.
    init(_ algorithm: Algorithm) throws {
        let type =
            switch algorithm {
            case .md5: EVP_md5()
            case .sha256: EVP_sha256()
            case .sha512Half: EVP_sha512_256()
            }
        guard let context = EVP_MD_CTX_new() else { throw Failure(500, "libcrypto made no digest context") }
        guard EVP_DigestInit_ex(context, type, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw Failure(500, "libcrypto does not offer \(algorithm.rawValue)")
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    func update(_ data: Data) {
        data.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Ends the hash, once; lower-case hexadecimal.
    func hex() -> String {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        EVP_DigestFinal_ex(context, &bytes, &count)
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.prefix(Int(count)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    static func hex(of data: Data, _ algorithm: Algorithm) throws -> String {
        let digest = try Digest(algorithm)
        digest.update(data)
        return digest.hex()
    }
}
