internal import COpenSSL

/// Reads what a server has already sent, so that a handshake can wait without its socket being ready all the time.
///
/// OpenSSL suspends a handshake for a trust evaluation by the error `WANT_RETRY_VERIFY`. libcurl 7.88 takes an error
/// that it does not know as "call again" only when the last read of its connection found nothing, and fails the
/// handshake otherwise. So everything that is there is read, until nothing is, and put back by a filter between
/// OpenSSL and libcurl's connection. Later versions of libcurl know the error by itself; to them this changes
/// nothing.
enum HandshakeReadAhead {
    /// The most bytes to hold; a server that sends more than this before it is trusted is not helped.
    private static let limit = 256 * 1024

    /// Reads ahead on `connection`, an OpenSSL connection in the middle of its handshake.
    ///
    /// - Returns: Whether the server may still say something. When it has closed the connection, libcurl gives up.
    static func perform(on connection: OpaquePointer) -> Bool {
        guard let top = SSL_get_rbio(connection) else { return false }
        let existing = pushback(of: top)
        guard let source = existing == nil ? top : BIO_next(top) else { return false }
        var bytes: [UInt8] = []
        let capacity = 16 * 1024
        while bytes.count < limit {
            let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = Int(max(0, BIO_read(source, buffer.baseAddress, Int32(capacity))))
            }
            guard !chunk.isEmpty else { break }
            bytes += chunk
        }
        let isOpen = airframe_bio_should_retry(source) != 0
        guard !bytes.isEmpty else { return isOpen }
        if let existing {
            existing.bytes += bytes
        } else if let method, let filter = BIO_new(method) {
            pushback(of: filter)?.bytes = bytes
            // The connection gives up its reference to `top`; the filter needs one.
            BIO_up_ref(top)
            BIO_push(filter, top)
            SSL_set0_rbio(connection, filter)
        }
        return isOpen
    }

    /// Bytes on their way back.
    private final class Pushback {
        var bytes: [UInt8] = []
        var offset = 0
    }

    private static func pushback(of filter: OpaquePointer) -> Pushback? {
        guard BIO_method_type(filter) == methodType, let data = BIO_get_data(filter) else { return nil }
        return Unmanaged<Pushback>.fromOpaque(data).takeUnretainedValue()
    }

    private static let methodType = BIO_get_new_index() | BIO_TYPE_FILTER

    // Immutable once it is made, and never freed: connections refer to it.
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
