package import AirframeTransport
internal import COpenSSL

/// A client identity in OpenSSL's form, parsed and checked once for all connections.
package final class IdentityMaterial {
    private let certificate: CertificateReference
    private let intermediates: [CertificateReference]
    private let key: OpaquePointer

    /// - Throws: ``TransportError/Code/invalidRequest`` if a certificate or the key is malformed, or if they do not
    ///   match.
    package init(_ identity: ClientIdentity) throws(TransportError) {
        var chain: [CertificateReference] = []
        for (index, der) in identity.chain.enumerated() {
            guard let certificate = CertificateReference(der) else {
                throw Self.failure("its certificate \(index + 1) of \(identity.chain.count) is not a certificate")
            }
            chain.append(certificate)
        }
        guard let leaf = chain.first else { throw Self.failure("it has no certificate") }
        let parsed = identity.privateKey.bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let parsed else { throw Self.failure("its private key cannot be read") }
        guard X509_check_private_key(leaf.pointer, parsed) == 1 else {
            EVP_PKEY_free(parsed)
            let subject = CertificateText.subject(of: leaf.pointer)
            throw Self.failure("its private key does not belong to its certificate (\(subject))")
        }
        certificate = leaf
        intermediates = Array(chain.dropFirst())
        key = parsed
    }

    deinit { EVP_PKEY_free(key) }

    /// Makes the connections of `context` present the identity.
    package func install(in context: OpaquePointer) -> Bool {
        guard SSL_CTX_use_certificate(context, certificate.pointer) == 1, SSL_CTX_use_PrivateKey(context, key) == 1
        else { return false }
        return intermediates.allSatisfy { airframe_ctx_add_chain_certificate(context, $0.pointer) == 1 }
    }

    private static func failure(_ message: String) -> TransportError {
        let library = OpenSSLError.takeMessage().map { "OpenSSL: \($0)" }
        return TransportError(
            .invalidRequest,
            phase: .options,
            processing: .notSent,
            message: "the client identity cannot be used: \(message)",
            libraryMessage: library
        )
    }
}
