internal import COpenSSL
package import FoundationEssentials

/// A hash function, computed by libcrypto.
package enum HashFunction: Int, Sendable, CaseIterable {
    // From the weakest to the strongest: the order chooses between two challenges.
    case md5
    case sha1
    case sha256
    /// SHA-512/256.
    case sha512Half
    case sha512

    /// The name in HTTP's registries.
    var name: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha512Half: "SHA-512-256"
        case .sha512: "SHA-512"
        }
    }

    /// libcrypto's name.
    private var libraryName: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512Half: "SHA512-256"
        case .sha512: "SHA512"
        }
    }

    /// Returns the hash of `data`.
    ///
    /// - Throws: ``HashUnavailable`` if libcrypto does not offer the function.
    package func hash(_ data: Data) throws(HashUnavailable) -> [UInt8] {
        var running = try RunningHash(self)
        running.update(data)
        return running.bytes()
    }

    /// Returns the authentication code of `data` under `key` (HMAC, RFC 2104).
    ///
    /// - Throws: ``HashUnavailable`` if libcrypto does not offer the function.
    func authenticationCode(_ data: Data, key: [UInt8]) throws(HashUnavailable) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        let result = data.withUnsafeBytes { data in
            let start = data.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return EVP_Q_mac(
                nil, "HMAC", nil, libraryName, nil, key, key.count, start, data.count, &code, code.count, &count
            )
        }
        guard result != nil else { throw HashUnavailable(function: self) }
        return Array(code.prefix(count))
    }
}

/// A hash function that libcrypto does not offer, such as MD5 in FIPS mode.
package struct HashUnavailable: Error, CustomStringConvertible {
    let function: HashFunction

    package var description: String { "libcrypto does not offer \(function.name)" }
}

extension Sequence<UInt8> {
    /// Lower-case hexadecimal.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
