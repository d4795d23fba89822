internal import AirframeTransport
internal import COpenSSL

/// The engine's own judgement of a server: the chain must lead to a trusted root, and the certificate must name the host.
package enum ServerVerification {
    /// Why a server was refused.
    package struct Failure: Error {
        package let message: String
        package let libraryMessage: String
        package let urlErrorCode: Int
    }

    /// Checks the chain that `presented` (the verification context of a handshake) holds, in a context of its own: that of
    /// the handshake may have another store in it.
    package static func verify(
        _ presented: OpaquePointer,
        host: String,
        store: TrustStore,
        securityLevel: Int32
    ) -> Failure? {
        guard let leaf = X509_STORE_CTX_get0_cert(presented), let context = X509_STORE_CTX_new() else {
            return noCertificate
        }
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, store.pointer, leaf, X509_STORE_CTX_get0_untrusted(presented)) == 1,
            X509_STORE_CTX_set_default(context, "ssl_server") == 1,
            let rules = X509_STORE_CTX_get0_param(context)
        else {
            ERR_clear_error()
            return Failure(message: "OpenSSL is out of memory", libraryMessage: "", urlErrorCode: -1)
        }
        X509_VERIFY_PARAM_set_auth_level(rules, securityLevel)
        return verify(context, host: host)
    }

    /// Checks the chain in `context`, whose store has the trusted roots.
    package static func verify(_ context: OpaquePointer, host: String) -> Failure? {
        guard let leaf = X509_STORE_CTX_get0_cert(context), let rules = X509_STORE_CTX_get0_param(context) else {
            return noCertificate
        }
        guard let requirement = HostRequirement(host), requirement.apply(to: rules) else {
            ERR_clear_error()
            return Failure(
                message: "no certificate can be for \(host.debugDescription)", libraryMessage: "", urlErrorCode: -1202)
        }
        guard X509_verify_cert(context) != 1 else { return nil }
        let code = X509_STORE_CTX_get_error(context)
        let certificate = X509_STORE_CTX_get_current_cert(context) ?? leaf
        ERR_clear_error()
        return failure(code, certificate: certificate, host: host)
    }

    private static let noCertificate = Failure(
        message: "the server sent no certificate",
        libraryMessage: "",
        urlErrorCode: -1202
    )

    private static func failure(_ code: Int32, certificate: OpaquePointer, host: String) -> Failure {
        let words = String(cString: X509_verify_cert_error_string(Int(code)))
        let subject = CertificateText.subject(of: certificate)
        let detail: String
        let urlErrorCode: Int
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            detail = "\(words) (\(subject), valid until \(CertificateText.notAfter(of: certificate)))"
            urlErrorCode = -1201
        case X509_V_ERR_CERT_NOT_YET_VALID:
            detail = "\(words) (\(subject), valid from \(CertificateText.notBefore(of: certificate)))"
            urlErrorCode = -1204
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            let hosts = CertificateText.hosts(of: certificate)
            let names = hosts.isEmpty ? "no host" : hosts.joined(separator: ", ")
            detail = "\(words): the certificate (\(subject)) is for \(names), not for \(host)"
            urlErrorCode = -1202
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            detail = "\(words) (\(subject), issued by \(CertificateText.issuer(of: certificate)))"
            urlErrorCode = -1203
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            detail = "\(words) (\(subject))"
            urlErrorCode = -1203
        default:
            detail = "\(words) (\(subject))"
            urlErrorCode = -1202
        }
        return Failure(message: detail, libraryMessage: "OpenSSL: \(words) (\(code))", urlErrorCode: urlErrorCode)
    }
}
