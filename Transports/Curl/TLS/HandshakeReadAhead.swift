internal import COpenSSL

/// A filter that reads the bytes that a server has already sent, so that a suspended handshake has no ready socket.
///
/// OpenSSL suspends a handshake for a trust evaluation with the error `WANT_RETRY_VERIFY`. libcurl 7.88 does not know
/// this error. It calls again later only if the last read of its connection found nothing, and fails the handshake
/// otherwise. The engine therefore reads everything that has arrived, and a filter between OpenSSL and libcurl's
/// connection puts the bytes back. Later versions of libcurl know the error and are not affected.
enum HandshakeReadAhead {
    /// The state of the server's side after its bytes have been read.
    enum PeerState {
        /// The server may still send something.
        case open
        /// The server has closed the connection, so that libcurl fails.
        case closed
        /// The server has sent more than ``limit``. The handshake must fail, or a server could fill the memory before
        /// it is trusted.
        case exceeded
    }

    /// The maximum number of bytes to hold for a connection.
    static let limit = 256 * 1024

    /// Reads ahead on `connection`, an OpenSSL connection in the middle of its handshake.
    static func perform(on connection: OpaquePointer) -> PeerState {
        guard let top = SSL_get_rbio(connection) else { return .closed }
        let existing = pushback(of: top)
        guard let source = existing == nil ? top : BIO_next(top) else { return .closed }
        let room = limit - (existing.map { $0.bytes.count - $0.offset } ?? 0)
        var bytes: [UInt8] = []
        let capacity = 16 * 1024
        while bytes.count <= room {
            let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = Int(max(0, BIO_read(source, buffer.baseAddress, Int32(capacity))))
            }
            guard !chunk.isEmpty else { break }
            bytes += chunk
        }
        guard bytes.count <= room else { return .exceeded }
        let state: PeerState = airframe_bio_should_retry(source) != 0 ? .open : .closed
        guard !bytes.isEmpty else { return state }
        if let existing {
            existing.bytes += bytes
        } else if let method, let filter = BIO_new(method) {
            pushback(of: filter)?.bytes = bytes
            // The connection releases its reference to `top`, and the filter needs one.
            BIO_up_ref(top)
            BIO_push(filter, top)
            SSL_set0_rbio(connection, filter)
        }
        return state
    }

    /// Bytes that are put back.
    private final class Pushback {
        var bytes: [UInt8] = []
        var offset = 0
    }

    private static func pushback(of filter: OpaquePointer) -> Pushback? {
        guard BIO_method_type(filter) == methodType, let data = BIO_get_data(filter) else { return nil }
        return Unmanaged<Pushback>.fromOpaque(data).takeUnretainedValue()
    }

    private static let methodType = BIO_get_new_index() | BIO_TYPE_FILTER

    // Immutable after its creation, and never freed, because connections refer to it.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(methodType, "airframe read-ahead") else { return nil }
        BIO_meth_set_create(method) { filter in
            guard let filter else { return 0 }
            BIO_set_data(filter, Unmanaged.passRetained(Pushback()).toOpaque())
            BIO_set_init(filter, 1)
            return 1
        }
        BIO_meth_set_destroy(method) { filter in
            guard let filter, let data = BIO_get_data(filter) else { return 0 }
            Unmanaged<Pushback>.fromOpaque(data).release()
            BIO_set_data(filter, nil)
            return 1
        }
        BIO_meth_set_read(method) { filter, buffer, capacity in
            guard let filter, let buffer else { return -1 }
            return read(filter, into: buffer, capacity: capacity)
        }
        BIO_meth_set_write(method) { filter, buffer, count in
            guard let filter, let next = BIO_next(filter) else { return -1 }
            let result = BIO_write(next, buffer, count)
            airframe_bio_clear_retry(filter)
            airframe_bio_copy_next_retry(filter)
            return result
        }
        BIO_meth_set_ctrl(method) { filter, command, number, pointer in
            guard let filter, let next = BIO_next(filter) else { return 0 }
            return BIO_ctrl(next, command, number, pointer)
        }
        return method
    }()

    private static func read(
        _ filter: OpaquePointer,
        into buffer: UnsafeMutablePointer<CChar>,
        capacity: Int32
    ) -> Int32 {
        airframe_bio_clear_retry(filter)
        if let pushback = pushback(of: filter), pushback.offset < pushback.bytes.count, capacity > 0 {
            let count = min(Int(capacity), pushback.bytes.count - pushback.offset)
            pushback.bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawPointer(buffer).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[pushback.offset...]).baseAddress ?? .init(buffer),
                    byteCount: count
                )
            }
            pushback.offset += count
            if pushback.offset == pushback.bytes.count {
                pushback.bytes = []
                pushback.offset = 0
            }
            return Int32(count)
        }
        guard let next = BIO_next(filter) else { return -1 }
        let result = BIO_read(next, buffer, capacity)
        airframe_bio_copy_next_retry(filter)
        return result
    }
}
