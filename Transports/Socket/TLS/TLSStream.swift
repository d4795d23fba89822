internal import AirframeOpenSSL
internal import AirframeTransport
internal import AirframeWire
internal import COpenSSL
internal import Glibc
internal import Synchronization

/// A TLS connection over another stream.
///
/// Calls never block: a call that cannot continue returns, and its caller waits for the socket. A class, because a
/// reader and an uploader may share the stream; its lock admits one OpenSSL call at a time.
final class TLSStream: Sendable {
    /// The result of a handshake step.
    enum HandshakeStep {
        case finished
        case needsReading
        case needsWriting
        /// The server's certificates must be evaluated.
        case question(TLSPeer.Question)
        case failed(words: String, systemError: Int32)
    }

    /// `@unchecked Sendable`: the pointer is used only with the lock held, and does not escape.
    private struct TLSState: @unchecked Sendable {
        let connection: OpaquePointer
        /// How the peer ended the stream, or why it broke.
        var end = End.none
        var isEstablished = false
        var readNeedsWriting = false
        /// Whether close_notify was sent. A second `SSL_shutdown` would read, and fail on application data.
        var hasSentClose = false
        /// Why a write failed. Bytes that the peer sent before can still be read.
        var writeFailure: String?

        var isBroken: Bool {
            if case .failed = end { true } else { writeFailure != nil }
        }
    }

    private enum End {
        case none
        /// With `close_notify` (RFC 8446 §6.1).
        case closed
        /// Without `close_notify`.
        case cut
        case failed(words: String, code: Int32)

        /// The result of all further reads; `nil` while the stream is open.
        var result: IOResult? {
            switch self {
            case .none: nil
            case .closed, .cut: .ended
            case .failed(_, let code): .failed(code)
            }
        }
    }

    let peer: TLSPeer
    private let bridge: TLSBridge
    private let context: TLSContext
    // Guards the connection, which OpenSSL does not lock.
    private let state: Mutex<TLSState>

    /// Creates the stream. Nothing is sent yet.
    ///
    /// - Throws: ``TransportError/Code/tlsFailed`` if OpenSSL is out of memory.
    init(
        _ context: TLSContext,
        over lower: ByteStream,
        to peer: TLSPeer,
        resuming session: SessionCache.Session?
    ) throws(TransportError) {
        let bridge = TLSBridge(lower, to: peer)
        guard let connection = SSL_new(context.pointer), let bio = bridge.makeBIO() else {
            throw TransportError(.tlsFailed, phase: .tls, processing: .notSent, message: "OpenSSL is out of memory")
        }
        SSL_set_bio(connection, bio, bio)
        SSL_set_connect_state(connection)
        peer.attach(to: connection)
        if IPAddress(peer.host) == nil {
            // RFC 6066 §3: the name without its trailing dot, and never an address.
            _ = airframe_ssl_set_server_name(
                connection, peer.host.hasSuffix(".") ? String(peer.host.dropLast()) : peer.host)
        }
        if let session {
            SSL_set_session(connection, session.pointer)
            if !peer.allowsSession(of: connection) { SSL_set_session(connection, nil) }
        }
        self.context = context
        self.bridge = bridge
        self.peer = peer
        state = Mutex(TLSState(connection: connection))
    }

    deinit {
        state.withLock { state in
            // RFC 8446 §6.1: send close_notify, without waiting for the peer's.
            if state.isEstablished, !state.isBroken { SSL_shutdown(state.connection) }
            Self.clearErrors()
            SSL_free(state.connection)
        }
    }

    /// Empties the thread's error queue, which `SSL_get_error` examines. Clearing the 16 entries of an empty queue took
    /// 600 of the 8,000 instructions of a write.
    private static func clearErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    // MARK: The handshake

    /// Continues the handshake as far as possible.
    func shakeHands() -> HandshakeStep {
        state.withLock { state in
            Self.clearErrors()
            let result = SSL_do_handshake(state.connection)
            guard result != 1 else {
                guard !peer.isSilent else { return .failed(words: "the server was not evaluated", systemError: 0) }
                // With an anonymous cipher suite OpenSSL ignores SSL_VERIFY_PEER and calls no callback. A resumed
                // session has the certificate of its first handshake.
                guard SSL_get0_peer_certificate(state.connection) != nil else {
                    return .failed(words: "the server presented no certificate", systemError: 0)
                }
                state.isEstablished = true
                _ = bridge.noteContent()
                return .finished
            }
            switch SSL_get_error(state.connection, result) {
            case SSL_ERROR_WANT_READ: return .needsReading
            case SSL_ERROR_WANT_WRITE: return peer.question.map { .question($0) } ?? .needsWriting
            case SSL_ERROR_WANT_RETRY_VERIFY:
                guard let question = peer.question else { return .failed(words: "no question", systemError: 0) }
                return .question(question)
            default:
                guard !bridge.isFlooded else { return .failed(words: Self.floodWords, systemError: 0) }
                let words = OpenSSLError.takeMessage() ?? "the server closed the connection"
                return .failed(words: words, systemError: bridge.systemError)
            }
        }
    }

    /// The negotiated parameters.
    var description: TLSDescription? { state.withLock { TLSDescription($0.connection) } }

    /// Returns whether the engine's own verification trusts `chain` for another host.
    func isTrusted(for host: String, _ chain: [DER]) -> Bool {
        guard !chain.isEmpty else { return false }
        let securityLevel = state.withLock { SSL_get_security_level($0.connection) }
        return context.verification.verify(chain, host: host, securityLevel: securityLevel) == nil
    }

    // MARK: Bytes

    private static let floodWords = "the server sent 1 MiB of TLS messages without content"

    /// Reads available bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        state.withLock { state in
            if let end = state.end.result { return end }
            var (total, overhead) = (0, 0)
            while total < buffer.count {
                var count = 0
                Self.clearErrors()
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[total...])
                let result = SSL_read_ex(state.connection, rest.baseAddress, rest.count, &count)
                guard result == 1 else {
                    let failure = Self.readFailure(result, &state, bridge)
                    return total > 0 ? .bytes(total) : failure
                }
                total += count
                overhead += bridge.noteContent()
                // A record has at most 16 KiB. The next one may already have arrived. Content between messages without
                // content must not prolong the call either.
                guard overhead < TLSBridge.overheadLimit else { break }
                guard !bridge.isDrained || SSL_has_pending(state.connection) == 1 else { break }
            }
            return .bytes(total)
        }
    }

    private static func readFailure(_ result: Int32, _ state: inout TLSState, _ bridge: TLSBridge) -> IOResult {
        state.readNeedsWriting = false
        switch SSL_get_error(state.connection, result) {
        case SSL_ERROR_WANT_READ:
            return .blocked
        case SSL_ERROR_WANT_WRITE:
            // There is no room for the answer to a key update (RFC 8446 §4.6.3).
            state.readNeedsWriting = true
            return .blocked
        case SSL_ERROR_ZERO_RETURN:
            state.end = .closed
            return .ended
        default:
            if bridge.systemError != 0 {
                state.end = .failed(words: SystemError.text(bridge.systemError), code: bridge.systemError)
                return .failed(bridge.systemError)
            }
            guard !bridge.isFlooded else {
                state.end = .failed(words: Self.floodWords, code: EPROTO)
                return .failed(EPROTO)
            }
            let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) }
            let words = OpenSSLError.takeMessage() ?? reason ?? "the connection ended"
            if words.contains("unexpected eof") || reason == nil {
                state.end = .cut
                return .ended
            }
            state.end = .failed(words: words, code: EPROTO)
            return .failed(EPROTO)
        }
    }

    /// Writes as many bytes as the socket accepts.
    func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        guard bytes.count > 0 else { return .bytes(0) }
        return state.withLock { state in
            var count = 0
            Self.clearErrors()
            let result = SSL_write_ex(state.connection, bytes.baseAddress, bytes.count, &count)
            guard result != 1 else { return .bytes(count) }
            switch SSL_get_error(state.connection, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
                return .blocked
            default:
                let code = bridge.systemError == 0 ? EPIPE : bridge.systemError
                let words = OpenSSLError.takeMessage() ?? SystemError.text(bridge.systemError)
                state.writeFailure = words
                return .failed(code)
            }
        }
    }

    /// Sends close_notify: nothing more will be written (RFC 8446 §6.1).
    ///
    /// - Returns: `false` if there is no room for it. Wait for the socket, and call again.
    @discardableResult
    func finishWriting() -> Bool {
        state.withLock { state in
            guard !state.hasSentClose else { return true }
            Self.clearErrors()
            let result = SSL_shutdown(state.connection)
            if result < 0, SSL_get_error(state.connection, result) == SSL_ERROR_WANT_WRITE { return false }
            state.hasSentClose = true
            return true
        }
    }

    // MARK: State

    /// Whether a read may return bytes or the end without waiting. If the end was read together with the last bytes,
    /// the socket never becomes ready again.
    var mayHaveMore: Bool {
        state.withLock { $0.end.result != nil || !bridge.isDrained || SSL_has_pending($0.connection) == 1 }
    }

    /// Whether a blocked read waits for room to write.
    var readNeedsWriting: Bool { state.withLock { $0.readNeedsWriting } }

    /// Whether the peer has sent close_notify. Without it, the stream may have been truncated.
    var wasClosed: Bool {
        state.withLock { state in
            if case .closed = state.end { true } else { false }
        }
    }

    /// OpenSSL's message about the failure.
    var failureWords: String? {
        state.withLock { state in
            if case .failed(let words, _) = state.end { words } else { state.writeFailure }
        }
    }

    /// Whether no application data has arrived. Session tickets are read, and stored.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        return withUnsafeMutableBytes(of: &byte) { read(into: $0) } == .blocked
    }
}
