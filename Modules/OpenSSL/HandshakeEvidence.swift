package import AirframeTransport
internal import COpenSSL

/// The evidence that servers send with their certificates: an OCSP response (RFC 6066 §8) and the timestamps of logs
/// (RFC 6962 §3.3.1).
package enum HandshakeEvidence {
    /// Makes the connections of `context` request both.
    ///
    /// - Returns: `false` if OpenSSL fails; its error queue has the reason.
    package static func request(in context: OpaquePointer) -> Bool {
        guard airframe_ctx_request_stapled_ocsp(context) == 1 else { return false }
        // A custom extension: OpenSSL's own support reads the timestamps only once, before the certificate is known.
        return airframe_ctx_add_timestamps_extension(context) { connection, _, _, bytes, count, _, place, _, _ in
            // In TLS 1.3 each certificate of the chain can have the extension.
            guard let connection, let bytes, place == 0 else { return 1 }
            HandshakeEvidence.keep(Array(UnsafeBufferPointer(start: bytes, count: count)), connection)
            return 1
        } == 1
    }

    /// Returns the OCSP response that was sent with the certificate; TLS 1.2 sends it later.
    package static func stapledOCSPResponse(of connection: OpaquePointer) -> DER? {
        var start: UnsafePointer<UInt8>?
        let count = airframe_ssl_stapled_ocsp(connection, &start)
        guard let start, count > 0 else { return nil }
        return DER(Array(UnsafeBufferPointer(start: start, count: count)))
    }

    /// Returns the encoded list of timestamps that the server sent.
    package static func timestamps(of connection: OpaquePointer) -> [UInt8]? {
        guard let data = SSL_get_ex_data(connection, index) else { return nil }
        return Unmanaged<Timestamps>.fromOpaque(data).takeUnretainedValue().bytes
    }

    /// Returns whether the response is sent with the certificate rather than in a later message: since TLS 1.3
    /// (RFC 8446 §4.4.2.1).
    package static func comesWithCertificate(_ connection: OpaquePointer) -> Bool {
        SSL_version(connection) >= TLS1_3_VERSION
    }

    /// A class, because OpenSSL stores its address with the connection.
    private final class Timestamps {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private static func keep(_ bytes: [UInt8], _ connection: OpaquePointer) {
        // A server sends the extension once, even after a HelloRetryRequest (RFC 8446 §4.2).
        guard SSL_get_ex_data(connection, index) == nil else { return }
        let owned = Unmanaged.passRetained(Timestamps(bytes))
        if SSL_set_ex_data(connection, index, owned.toOpaque()) != 1 { owned.release() }
    }

    private static let index = airframe_ssl_new_owned_index { _, data, _, _, _, _ in
        guard let data else { return }
        Unmanaged<Timestamps>.fromOpaque(data).release()
    }
}
