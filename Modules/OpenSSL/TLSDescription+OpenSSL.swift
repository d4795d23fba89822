package import AirframeTransport
internal import COpenSSL

extension TLSDescription {
    /// Creates the description of an OpenSSL connection's handshake; `nil` if the version of TLS is unknown.
    package init?(_ connection: OpaquePointer) {
        guard let version = TLSVersion(rawValue: Int(SSL_version(connection))) else { return nil }
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(connection, &start, &count)
        let application = start.map {
            String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
        }
        let cipher = SSL_get_current_cipher(connection).flatMap { SSL_CIPHER_get_name($0) }
        self.init(
            version: version,
            cipherSuite: cipher.map { String(cString: $0) } ?? "unknown",
            applicationProtocol: application?.printable,
            chain: CertificateText.chain(SSL_get_peer_cert_chain(connection)),
            isResumed: SSL_session_reused(connection) == 1
        )
    }
}
