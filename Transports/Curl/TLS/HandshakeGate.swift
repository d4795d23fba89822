internal import COpenSSL

/// A filter that holds the client's next handshake messages back until the server is trusted.
///
/// Before TLS 1.3 the OCSP response arrives in a message after the certificate (RFC 6066 §8), and OpenSSL can suspend a
/// handshake at the certificate only. The handshake therefore continues to the end of the server's flight. The client's
/// answer, which contains its identity, waits in a filter between OpenSSL and libcurl's connection.
enum HandshakeGate {
    /// The fate of the client's bytes.
    enum Passage {
        case open
        /// The evaluation is running.
        case held
        /// The server was refused.
        case closed
    }

    /// A class, because OpenSSL keeps its address with the filter.
    private final class Gate {
        // The TLS context of the connection keeps it alive.
        unowned let handshake: TLSHandshake
        let connection: OpaquePointer
        var isServerTold = false

        init(_ handshake: TLSHandshake, _ connection: OpaquePointer) {
            self.handshake = handshake
            self.connection = connection
        }
    }

    /// Puts a gate on `connection`, an OpenSSL connection in the middle of its handshake. Returns whether it succeeded.
    static func install(on connection: OpaquePointer, for handshake: TLSHandshake) -> Bool {
        guard let top = SSL_get_wbio(connection), let method, let filter = BIO_new(method) else { return false }
        BIO_set_data(filter, Unmanaged.passRetained(Gate(handshake, connection)).toOpaque())
        BIO_set_init(filter, 1)
        // The connection releases its reference to `top`, and the filter needs one.
        BIO_up_ref(top)
        BIO_push(filter, top)
        SSL_set0_wbio(connection, filter)
        return true
    }

    // Immutable after its creation, and never freed, because connections refer to it.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_FILTER, "airframe gate") else { return nil }
        BIO_meth_set_destroy(method) { filter in
            guard let filter else { return 0 }
            if let data = BIO_get_data(filter) { Unmanaged<Gate>.fromOpaque(data).release() }
            BIO_set_data(filter, nil)
            return 1
        }
        BIO_meth_set_write(method) { filter, bytes, count in
            guard let filter, let bytes else { return -1 }
            return write(filter, bytes, count)
        }
        BIO_meth_set_ctrl(method) { filter, command, number, pointer in
            guard let filter, let next = BIO_next(filter) else { return 0 }
            return BIO_ctrl(next, command, number, pointer)
        }
        return method
    }()

    /// A record with the alert `bad_certificate`, which is fatal (RFC 5246 §7.2.2).
    private static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 42]

    private static func write(_ filter: OpaquePointer, _ bytes: UnsafePointer<CChar>, _ count: Int32) -> Int32 {
        airframe_bio_clear_retry(filter)
        guard let next = BIO_next(filter), let data = BIO_get_data(filter) else { return -1 }
        let gate = Unmanaged<Gate>.fromOpaque(data).takeUnretainedValue()
        switch gate.handshake.passage {
        case .open:
            let result = BIO_write(next, bytes, count)
            airframe_bio_copy_next_retry(filter)
            return result
        case .held:
            // libcurl does not know this error. It therefore calls again only when the engine resumes the transfer: see
            // `HandshakeReadAhead`.
            gate.handshake.wait(on: gate.connection)
            guard case .held = gate.handshake.passage else { return refuse(gate, next) }
            airframe_bio_set_retry_connect(filter)
            return -1
        case .closed: return refuse(gate, next)
        }
    }

    private static func refuse(_ gate: Gate, _ next: OpaquePointer) -> Int32 {
        if !gate.isServerTold { BIO_write(next, alert, Int32(alert.count)) }
        gate.isServerTold = true
        return -1
    }
}
