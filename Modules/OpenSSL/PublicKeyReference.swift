package import AirframeTransport
internal import COpenSSL

/// An OpenSSL public key that is freed with its owner.
package final class PublicKeyReference {
    private let pointer: OpaquePointer

    /// Parses a SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7); `nil` if it is malformed.
    package init?(_ der: DER) {
        let parsed = der.bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let parsed else {
            ERR_clear_error()
            return nil
        }
        pointer = parsed
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The size of the key in bits.
    package var bitCount: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// OpenSSL's name for the kind of key, such as `RSA`, `EC` or `ED25519`.
    package var kind: String {
        EVP_PKEY_get0_type_name(pointer).map { String(cString: $0) } ?? "unknown"
    }

    /// Returns whether `signature` is a valid signature of this key, with SHA-256, over `message`.
    package func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// Digests.
package enum Digest {
    /// SHA-256 (FIPS 180-4).
    package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] { digest(Array(bytes), EVP_sha256()) }

    /// SHA-1, for protocols that use it as an identifier and not as a proof: RFC 6960 §4.1.1.
    package static func sha1(_ bytes: some Sequence<UInt8>) -> [UInt8] { digest(Array(bytes), EVP_sha1()) }

    private static func digest(_ bytes: [UInt8], _ kind: OpaquePointer?) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &output, &count, kind, nil) == 1 else { return [] }
        return Array(output.prefix(Int(count)))
    }
}
