package import AirframeTransport
internal import COpenSSL
package import FoundationEssentials

/// The engines' verification of a server if no evaluation is set: the chain must lead to a trusted root, and the
/// certificate must name the host.
///
/// It gives the same verdict as AirframeSecurity's `DefaultTrustEvaluator`, with the roots of the connection.
package struct ServerVerification: Sendable {
    /// The reason why a server was refused.
    package struct Failure: Error {
        package let message: String
        package let libraryMessage: String?
        package let urlErrorCode: Int
    }

    private let roots: TrustRoots
    private let store: TrustStore

    /// - Parameters:
    ///   - roots: The certificates that chains may end in.
    ///   - store: The same certificates in OpenSSL's form.
    package init(roots: TrustRoots, store: TrustStore) {
        self.roots = roots
        self.store = store
    }

    /// Returns whether both have the same store of roots. They differ after a file of roots has changed.
    package func hasStore(of other: ServerVerification) -> Bool { store === other.store }

    /// Verifies the chain that a server presented in the handshake of `connection`.
    ///
    /// - Parameters:
    ///   - presented: The verification context that OpenSSL made for the handshake.
    ///   - connection: The connection.
    ///   - host: The host that the request names, without brackets.
    /// - Returns: `nil` if the server is trusted.
    package func verify(_ presented: OpaquePointer, of connection: OpaquePointer, host: String) -> Failure? {
        verify(CertificateText.chain(X509_STORE_CTX_get0_untrusted(presented)), of: connection, host: host)
    }

    /// Returns the chain of the session that `connection` is about to offer.
    package static func chainOfSession(_ connection: OpaquePointer) -> [DER] {
        CertificateText.chain(SSL_get_peer_cert_chain(connection))
    }

    /// Returns whether the session that `connection` is about to offer belongs to a server that is still trusted.
    /// Certificates expire during the lifetime of sessions, and a resumed handshake has none.
    ///
    /// - Parameter chain: The chain of the session.
    package func stillTrustsSession(with chain: [DER], of connection: OpaquePointer, host: String) -> Bool {
        verify(chain, of: connection, host: host) == nil
    }

    private func verify(_ chain: [DER], of connection: OpaquePointer, host: String) -> Failure? {
        verify(chain, host: host, securityLevel: SSL_get_security_level(connection))
    }

    /// Verifies a chain.
    ///
    /// - Parameters:
    ///   - chain: The certificates as the server sent them, its own first.
    ///   - host: The host that the request names, without brackets.
    ///   - securityLevel: OpenSSL's level of the connection.
    ///   - date: The time of the verification; `nil` for now.
    /// - Returns: `nil` if the server is trusted.
    package func verify(_ chain: [DER], host: String, securityLevel: Int32 = 2, at date: Date? = nil) -> Failure? {
        var name = host.lowercased()
        if name.count > 1, name.hasSuffix(".") { name.removeLast() }
        var evaluation = ChainEvaluation(chain, host: host, name: name, policy: ChainPolicy(roots: roots))
        evaluation.store = store
        evaluation.evaluationDate = date
        // Level 0 is for servers older than TLS 1.2. All other connections require at least the evaluators' level.
        evaluation.securityLevel = securityLevel == 0 ? 0 : max(securityLevel, evaluation.securityLevel)
        let report = evaluation.report()
        return report.isTrusted ? nil : Failure(report)
    }
}

extension ServerVerification.Failure {
    fileprivate init(_ report: TrustReport) {
        message = report.reason([.chain, .host, .revocation])
        let status = report.findings.first?.status ?? 0
        libraryMessage = status == 0 ? nil : "OpenSSL: \(ChainVerification.words(status)) (\(status))"
        switch status {
        case X509_V_ERR_CERT_HAS_EXPIRED: urlErrorCode = -1201
        case X509_V_ERR_CERT_NOT_YET_VALID: urlErrorCode = -1204
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            urlErrorCode = -1203
        default: urlErrorCode = -1202
        }
    }
}
