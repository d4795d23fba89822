package import AirframeTransport
internal import COpenSSL

/// Reads private keys and PKCS #12 files (RFC 7292).
package enum IdentityFile {
    /// The reason why a file cannot be used.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The content of a PKCS #12 file: a key, its certificate, and the intermediates.
    package static func read(pkcs12 bytes: [UInt8], password: String) throws(Failure) -> (key: DER, chain: [DER]) {
        defer { ERR_clear_error() }
        let parsed = bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_PKCS12(nil, &start, bytes.count)
        }
        guard let parsed else { throw Failure(description: "it is not a PKCS #12 file") }
        defer { PKCS12_free(parsed) }
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var others: OpaquePointer?
        guard PKCS12_parse(parsed, password, &key, &leaf, &others) == 1 else {
            let words = OpenSSLError.takeMessage() ?? "no reason given"
            // An empty password may stand for no password, which the library tries, too.
            let isLocked = words.contains("mac verify failure")
            throw Failure(description: isLocked ? "the password is wrong" : "it cannot be read (OpenSSL: \(words))")
        }
        defer {
            EVP_PKEY_free(key)
            X509_free(leaf)
            if let others { airframe_certificates_free(others) }
        }
        guard let key, let leaf else { throw Failure(description: "it has no private key with a certificate") }
        guard let keyBytes = pkcs8(key), let first = CertificateText.der(of: leaf) else {
            throw Failure(description: "its private key cannot be written as PKCS #8")
        }
        return (keyBytes, [first] + CertificateText.chain(others))
    }

    /// Returns the decrypted private key of a PEM text.
    ///
    /// - Parameter password: `nil` for a key that is not encrypted.
    package static func read(pemKey text: String, password: String?) throws(Failure) -> DER {
        defer { ERR_clear_error() }
        guard let key = key(inPEM: Array(text.utf8), password: password) else {
            let words = OpenSSLError.takeMessage().map { " (OpenSSL: \($0))" } ?? ""
            guard text.contains("ENCRYPTED") else { throw Failure(description: "it holds no private key\(words)") }
            throw Failure(
                description: password == nil
                    ? "its private key is encrypted, and no password is given"
                    : "its private key cannot be decrypted\(words)")
        }
        defer { EVP_PKEY_free(key) }
        guard let der = pkcs8(key) else { throw Failure(description: "its private key cannot be written as PKCS #8") }
        return der
    }

    private static func key(inPEM text: [UInt8], password: String?) -> OpaquePointer? {
        var secret = Array((password ?? "").utf8CString)
        return text.withUnsafeBytes { text in
            // The BIO refers to the text.
            guard let source = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return nil }
            defer { BIO_free(source) }
            return secret.withUnsafeMutableBytes { secret in
                // A custom callback, because the default one prompts at the terminal.
                PEM_read_bio_PrivateKey(
                    source,
                    nil,
                    { buffer, size, _, secret in
                        guard let buffer, let secret = secret?.assumingMemoryBound(to: CChar.self) else { return -1 }
                        var count: Int32 = 0
                        while secret[Int(count)] != 0 {
                            guard count < size else { return -1 }
                            buffer[Int(count)] = secret[Int(count)]
                            count += 1
                        }
                        return count > 0 ? count : -1
                    },
                    secret.baseAddress
                )
            }
        }
    }

    private static func pkcs8(_ key: OpaquePointer) -> DER? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = airframe_key_pkcs8(key, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { CRYPTO_clear_free(bytes, Int(count), #file, #line) }
        return DER(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    }
}
