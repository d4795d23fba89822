internal import COpenSSL
package import FoundationEssentials

/// A hash of bytes that arrive in pieces. It owns libcrypto's context.
package struct RunningHash: ~Copyable {
    private let context: OpaquePointer

    /// Begins a hash.
    ///
    /// - Throws: ``HashUnavailable`` if libcrypto does not offer the function, such as MD5 in FIPS mode.
    package init(_ function: HashFunction) throws(HashUnavailable) {
        let type =
            switch function {
            case .md5: EVP_md5()
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .sha512Half: EVP_sha512_256()
            case .sha512: EVP_sha512()
            }
        guard let context = EVP_MD_CTX_new() else { throw HashUnavailable(function: function) }
        guard EVP_DigestInit_ex(context, type, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw HashUnavailable(function: function)
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ data: Data) {
        data.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Finishes the hash.
    package consuming func bytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        EVP_DigestFinal_ex(context, &bytes, &count)
        return Array(bytes.prefix(Int(count)))
    }

    /// The hash of a string's UTF-8, in lower-case hexadecimal.
    static func hex(of text: String, _ function: HashFunction) throws(HashUnavailable) -> String {
        try function.hash(Data(text.utf8)).hexadecimal
    }
}
