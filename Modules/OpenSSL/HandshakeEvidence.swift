package import AirframeTransport
internal import COpenSSL

/// What servers send beside their certificates, for those who judge them: an OCSP response (RFC 6066 §8) and the
/// timestamps of logs (RFC 6962 §3.3.1).
package enum HandshakeEvidence {
    /// Has the connections of `context` ask for both.
    ///
    /// - Returns: `false` when OpenSSL refuses; its error queue says why.
    package static func request(in context: OpaquePointer) -> Bool {
        guard airframe_ctx_request_stapled_ocsp(context) == 1 else { return false }
        // An extension of our own: OpenSSL's own reading of timestamps looks for them once, before the certificate is
        // known.
        return airframe_ctx_add_timestamps_extension(context) { connection, _, _, bytes, count, _, place, _, _ in
            // In TLS 1.3 each certificate of the chain can have its own.
            guard let connection, let bytes, place == 0 else { return 1 }
            HandshakeEvidence.keep(Array(UnsafeBufferPointer(start: bytes, count: count)), connection)
            return 1
        } == 1
    }

    /// The OCSP response that came with the certificate; in TLS 1.2 it comes after it.
    package static func stapledOCSPResponse(of connection: OpaquePointer) -> DER? {
        var start: UnsafePointer<UInt8>?
        let count = airframe_ssl_stapled_ocsp(connection, &start)
        guard let start, count > 0 else { return nil }
        return DER(Array(UnsafeBufferPointer(start: start, count: count)))
    }

    /// The list of timestamps that the server sent, as it was sent.
    package static func timestamps(of connection: OpaquePointer) -> [UInt8]? {
        guard let data = SSL_get_ex_data(connection, index) else { return nil }
        return Unmanaged<Timestamps>.fromOpaque(data).takeUnretainedValue().bytes
    }

    /// Whether the response comes with the certificate, and not in a message after it: since TLS 1.3 (RFC 8446
    /// §4.4.2.1).
    package static func comesWithCertificate(_ connection: OpaquePointer) -> Bool {
        SSL_version(connection) >= TLS1_3_VERSION
    }

    /// A class, because OpenSSL keeps its address with the connection.
    private final class Timestamps {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    private static func keep(_ bytes: [UInt8], _ connection: OpaquePointer) {
        // A server sends the extension once, also where it begins anew with another hello (RFC 8446 §4.2).
        guard SSL_get_ex_data(connection, index) == nil else { return }
        let owned = Unmanaged.passRetained(Timestamps(bytes))
        if SSL_set_ex_data(connection, index, owned.toOpaque()) != 1 { owned.release() }
    }

    private static let index = airframe_ssl_new_owned_index { _, data, _, _, _, _ in
        guard let data else { return }
        Unmanaged<Timestamps>.fromOpaque(data).release()
    }
}
