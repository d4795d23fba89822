internal import AirframeTransport
internal import COpenSSL
internal import FoundationEssentials

/// A key of libcrypto's that signs by one algorithm of RFC 9421 §3.3.
///
/// `@unchecked Sendable`: the key is immutable, and libcrypto counts its references atomically.
final class LibraryKey: @unchecked Sendable {
    private let key: OpaquePointer
    private let algorithm: SignatureAlgorithm

    init(pem: String, isPrivate: Bool, _ algorithm: SignatureAlgorithm) throws(MessageSignatureError) {
        let key = Array(pem.utf8).withUnsafeBytes { text -> OpaquePointer? in
            // The BIO refers to the text.
            guard let input = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return nil }
            defer { BIO_free(input) }
            return isPrivate
                ? PEM_read_bio_PrivateKey(input, nil, noPassword, nil)
                : PEM_read_bio_PUBKEY(input, nil, noPassword, nil)
        }
        guard let key else { throw .unusableKey(Self.words("the text contains no key in PEM")) }
        guard algorithm.accepts(key) else {
            EVP_PKEY_free(key)
            throw .unusableKey("its type or curve does not match \(algorithm.rawValue)")
        }
        self.key = key
        self.algorithm = algorithm
    }

    /// Creates a new key on the curve P-256.
    init(newOnP256: Void) throws(MessageSignatureError) {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
            throw .unusableKey(Self.words("no memory"))
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { throw .unusableKey(Self.words("no key can be made")) }
        self.key = key
        algorithm = .ecdsaP256SHA256
    }

    deinit { EVP_PKEY_free(key) }

    /// Returns the public point of a key on P-256 in its uncompressed form (SEC 1 §2.3.3): 4, x and y.
    func uncompressedPoint() throws(MessageSignatureError) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let count = EVP_PKEY_get1_encoded_public_key(key, &output)
        guard let output else { throw .unusableKey(Self.words("it has no public point")) }
        defer { CRYPTO_free(output, nil, 0) }
        let point = Array(UnsafeBufferPointer(start: output, count: count))
        guard point.count == 65, point[0] == 4 else { throw .unusableKey("its point is not in the uncompressed form") }
        return point
    }

    /// Returns the private key in PEM (PKCS #8), without encryption.
    func privatePEM() throws(MessageSignatureError) -> String {
        guard let output = BIO_new(BIO_s_mem()) else { throw .unusableKey(Self.words("no memory")) }
        defer { BIO_free(output) }
        guard PEM_write_bio_PrivateKey(output, key, nil, nil, 0, nil, nil) == 1 else {
            throw .unusableKey(Self.words("it cannot be written"))
        }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = BIO_read(output, &text, Int32(text.count))
        guard count > 0, Int(count) < text.count else { throw .unusableKey(Self.words("it cannot be written")) }
        return String(decoding: text[..<Int(count)], as: UTF8.self)
    }

    func sign(_ text: Data) throws(MessageSignatureError) -> Data {
        let context = try context()
        defer { EVP_MD_CTX_free(context) }
        var settings: OpaquePointer?
        guard EVP_DigestSignInit(context, &settings, algorithm.digest, nil, key) == 1, algorithm.configure(settings)
        else { throw .unusableKey(Self.words("it cannot sign")) }
        let bytes = Array(text)
        var count = 0
        guard EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1 else {
            throw .unusableKey(Self.words("it cannot sign"))
        }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
            throw .unusableKey(Self.words("it cannot sign"))
        }
        signature.removeLast(signature.count - count)
        guard let size = algorithm.coordinateSize else { return Data(signature) }
        guard let joined = ECDSAForm.joined(signature, size: size) else {
            throw .unusableKey(Self.words("its signature cannot be read"))
        }
        return Data(joined)
    }

    func verify(_ signature: Data, of text: Data) throws(MessageSignatureError) -> Bool {
        var signature = Array(signature)
        if let size = algorithm.coordinateSize {
            guard let encoded = ECDSAForm.encoded(signature, size: size) else { return false }
            signature = encoded
        }
        let context = try context()
        defer { EVP_MD_CTX_free(context) }
        var settings: OpaquePointer?
        guard EVP_DigestVerifyInit(context, &settings, algorithm.digest, nil, key) == 1, algorithm.configure(settings)
        else { throw .unusableKey(Self.words("it cannot verify")) }
        let bytes = Array(text)
        defer { ERR_clear_error() }
        return EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }

    private func context() throws(MessageSignatureError) -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { throw .unusableKey("no memory") }
        return context
    }

    /// The failed operation with libcrypto's error message.
    private static func words(_ message: String) -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return message }
        return "\(message) (OpenSSL: \(String(cString: reason)))"
    }
}

/// Returns no password for an encrypted key: libcrypto's default function would prompt on the terminal.
private func noPassword(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }

extension SignatureAlgorithm {
    /// The hash, or `nil` for an algorithm that has its own.
    fileprivate var digest: OpaquePointer? {
        switch self {
        case .rsaPSSSHA512: EVP_sha512()
        case .rsaPKCS1SHA256, .hmacSHA256, .ecdsaP256SHA256: EVP_sha256()
        case .ecdsaP384SHA384: EVP_sha384()
        case .ed25519: nil
        }
    }

    /// The size of each half of an ECDSA signature in bytes.
    fileprivate var coordinateSize: Int? {
        switch self {
        case .ecdsaP256SHA256: 32
        case .ecdsaP384SHA384: 48
        case .rsaPSSSHA512, .rsaPKCS1SHA256, .hmacSHA256, .ed25519: nil
        }
    }

    fileprivate func accepts(_ key: OpaquePointer) -> Bool {
        switch self {
        case .rsaPSSSHA512: EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1
        case .rsaPKCS1SHA256: EVP_PKEY_is_a(key, "RSA") == 1
        case .hmacSHA256: false
        case .ecdsaP256SHA256: EVP_PKEY_is_a(key, "EC") == 1 && Self.curve(of: key) == "prime256v1"
        case .ecdsaP384SHA384: EVP_PKEY_is_a(key, "EC") == 1 && Self.curve(of: key) == "secp384r1"
        case .ed25519: EVP_PKEY_is_a(key, "ED25519") == 1
        }
    }

    /// Returns libcrypto's name of a key's curve. The size does not identify it: secp256k1 and brainpoolP256r1 have
    /// that of P-256.
    private static func curve(of key: OpaquePointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name -> String? in
            guard let start = name.baseAddress, EVP_PKEY_get_group_name(key, start, name.count, nil) == 1 else {
                return nil
            }
            return String(cString: start)
        }
    }

    /// Sets the algorithm's parameters other than its hash.
    fileprivate func configure(_ settings: OpaquePointer?) -> Bool {
        guard self == .rsaPSSSHA512 else { return true }
        return EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, 64) == 1
    }
}

/// The two forms of an ECDSA signature: libcrypto's DER, and the concatenated numbers of RFC 9421 §3.3.4.
enum ECDSAForm {
    /// Returns both numbers, each in `size` bytes.
    static func joined(_ encoded: [UInt8], size: Int) -> [UInt8]? {
        var start: UnsafePointer<UInt8>?
        return encoded.withUnsafeBufferPointer { bytes in
            start = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &start, bytes.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            var result = [UInt8](repeating: 0, count: 2 * size)
            let isWhole = result.withUnsafeMutableBufferPointer { result -> Bool in
                guard let base = result.baseAddress else { return false }
                let count = Int32(size)
                return BN_bn2binpad(ECDSA_SIG_get0_r(signature), base, count) == count
                    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), base + size, count) == count
            }
            return isWhole ? result : nil
        }
    }

    /// Returns the DER form of two numbers of `size` bytes each; `nil` when they are not of that size.
    static func encoded(_ joined: [UInt8], size: Int) -> [UInt8]? {
        guard joined.count == 2 * size, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        guard let r = BN_bin2bn(Array(joined[..<size]), Int32(size), nil) else { return nil }
        guard let s = BN_bin2bn(Array(joined[size...]), Int32(size), nil) else {
            BN_free(r)
            return nil
        }
        // The signature owns both numbers from here on.
        guard ECDSA_SIG_set0(signature, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        var output: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &output)
        guard count > 0, let output else { return nil }
        let result = Array(UnsafeBufferPointer(start: output, count: Int(count)))
        CRYPTO_free(output, nil, 0)
        return result
    }
}
