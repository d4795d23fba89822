package import AirframeTransport
internal import COpenSSL

/// An OpenSSL list of revoked certificates (RFC 5280 §5) that is freed with its owner.
///
/// `@unchecked Sendable`: the list is immutable once it is parsed, and OpenSSL guards the order that it caches.
package final class CRLReference: @unchecked Sendable {
    package let pointer: OpaquePointer

    /// Parses a list in DER; `nil` if it is malformed.
    package init?(_ der: DER) {
        let parsed = der.bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_X509_CRL(nil, &start, bytes.count)
        }
        guard let parsed else {
            ERR_clear_error()
            return nil
        }
        pointer = parsed
    }

    deinit { X509_CRL_free(pointer) }

    /// Returns whether the key of `issuer` signed the list.
    package func isSigned(by issuer: CertificateReference) -> Bool {
        defer { ERR_clear_error() }
        guard let key = X509_get0_pubkey(issuer.pointer) else { return false }
        return X509_CRL_verify(pointer, key) == 1
    }
}
