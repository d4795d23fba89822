internal import COpenSSL
internal import Synchronization

/// The byte stream beneath a TLS stream, as an OpenSSL BIO.
///
/// OpenSSL's own socket BIO writes without `MSG_NOSIGNAL`, so that writing to a closed connection would kill the
/// process. This bridge also supports TLS within TLS, to a server behind a proxy that is itself reached over TLS.
///
/// A class, because OpenSSL calls back with its address.
final class TLSBridge: Sendable {
    private let lower: ByteStream
    private let peer: TLSPeer
    /// Whether the last read drained the lower stream.
    private let drained = Atomic(true)
    /// The system's error code of the broken connection.
    private let failureCode = Atomic<Int32>(0)
    /// The bytes read from the lower stream since ``noteContent()``.
    private let overhead = Atomic(0)

    /// How many bytes the peer may send without content. OpenSSL's read returns only with content or once the lower
    /// stream is empty: a server that sends session tickets without end would keep the thread that reads.
    static let overheadLimit = 1 << 20

    /// - Parameter peer: The server. While its trust is being evaluated, writes may be held back.
    init(_ lower: ByteStream, to peer: TLSPeer) {
        self.lower = lower
        self.peer = peer
    }

    /// Whether there is nothing to read, as far as is known without a system call.
    var isDrained: Bool { drained.load(ordering: .relaxed) }

    /// The system's error code of the broken connection; 0 for none.
    var systemError: Int32 { failureCode.load(ordering: .relaxed) }

    /// Creates a BIO over this bridge. The bridge must outlive the BIO.
    func makeBIO() -> OpaquePointer? {
        guard let method = Self.method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    private static func bridge(of bio: OpaquePointer) -> TLSBridge? {
        BIO_get_data(bio).map { Unmanaged<TLSBridge>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the peer has sent more than 1 MiB without content.
    var isFlooded: Bool { overhead.load(ordering: .relaxed) > Self.overheadLimit }

    /// Notes that content has arrived, or that the handshake is complete. Returns the number of bytes read until then.
    func noteContent() -> Int { overhead.exchange(0, ordering: .relaxed) }

    private func read(_ bio: OpaquePointer, _ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard !isFlooded else { return -1 }
        switch lower.read(into: buffer) {
        case .bytes(let count):
            overhead.add(count, ordering: .relaxed)
            drained.store(!lower.mayHaveMore(after: count, of: buffer.count), ordering: .relaxed)
            return Int32(clamping: count)
        case .blocked:
            drained.store(true, ordering: .relaxed)
            airframe_bio_set_retry_read(bio)
            return -1
        case .ended:
            drained.store(false, ordering: .relaxed)
            return 0
        case .failed(let code):
            failureCode.store(code, ordering: .relaxed)
            return -1
        }
    }

    private func write(_ bio: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard !peer.isSilent else {
            airframe_bio_set_retry_write(bio)
            return -1
        }
        switch lower.write(bytes) {
        case .bytes(let count): return Int32(clamping: count)
        case .blocked:
            airframe_bio_set_retry_write(bio)
            return -1
        case .ended: return -1
        case .failed(let code):
            failureCode.store(code, ordering: .relaxed)
            return -1
        }
    }

    // Immutable after creation and never freed, since connections refer to it.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "airframe bridge") else {
            return nil
        }
        BIO_meth_set_read(method) { bio, buffer, capacity in
            guard let bio, let buffer, let bridge = TLSBridge.bridge(of: bio) else { return -1 }
            airframe_bio_clear_retry(bio)
            return bridge.read(bio, UnsafeMutableRawBufferPointer(start: buffer, count: Int(capacity)))
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bio, let bytes, let bridge = TLSBridge.bridge(of: bio) else { return -1 }
            airframe_bio_clear_retry(bio)
            return bridge.write(bio, UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()
}
