internal import AirframeOpenSSL
internal import AirframeTransport
internal import AirframeWire
internal import COpenSSL
internal import Synchronization

/// A cache of TLS sessions that handshakes with one server can resume.
///
/// Each pool key has its own cache, so that a session accepted by one trust evaluation is never resumed under another.
final class SessionCache: Sendable {
    /// An OpenSSL session.
    ///
    /// `@unchecked Sendable`: OpenSSL counts references to sessions atomically, and an established session is
    /// immutable.
    final class Session: @unchecked Sendable {
        let pointer: OpaquePointer
        /// The question to the evaluation in the session's full handshake; `nil` if the engine evaluated trust itself.
        let evidence: TLSPeer.Question?

        /// Takes ownership of a reference.
        init(_ pointer: OpaquePointer, evidence: TLSPeer.Question?) {
            self.pointer = pointer
            self.evidence = evidence
        }

        deinit { SSL_SESSION_free(pointer) }
    }

    /// The chain that was last found to be trusted, and until when that holds.
    private struct Verdict {
        let chain: [DER]
        /// An instant of the monotonic clock, in nanoseconds.
        let end: Int64
    }

    private static let capacity = 8
    /// How long a verdict holds at most, in nanoseconds.
    private static let verdictAge: Int64 = 60_000_000_000

    // Guards the sessions.
    private let sessions = Mutex<[Session]>([])
    // Guards the verdict.
    private let verdict = Mutex<Verdict?>(nil)

    var isEmpty: Bool { sessions.withLock { $0.isEmpty } }

    /// Stores a session that the server has offered.
    func add(_ session: Session) {
        sessions.withLock { sessions in
            if sessions.count == Self.capacity { sessions.removeFirst() }
            sessions.append(session)
        }
    }

    /// Removes a session whose server is no longer trusted.
    func remove(_ session: Session) { sessions.withLock { $0.removeAll { $0 === session } } }

    // MARK: Trust

    /// Returns whether `chain` was found to be trusted a short while ago.
    ///
    /// Verifying a chain takes 12 million instructions, five times as much as the rest of a new connection.
    func wasTrusted(_ chain: [DER]) -> Bool {
        verdict.withLock { verdict in
            guard let verdict, Monotonic.now < verdict.end else { return false }
            return verdict.chain == chain
        }
    }

    /// Records that `chain`, the peer's in `connection`, is trusted: until a certificate of it expires, and for a
    /// minute at most.
    func keepTrust(in chain: [DER], of connection: OpaquePointer) {
        guard !chain.isEmpty, let rest = Self.remainingSeconds(of: connection), rest > 0 else { return }
        let end = Monotonic.sum(Monotonic.now, min(Self.verdictAge, rest * 1_000_000_000))
        verdict.withLock { $0 = Verdict(chain: chain, end: end) }
    }

    /// Returns the seconds until the first certificate of the peer's chain expires, at most a day; `nil` if that is
    /// unknown.
    private static func remainingSeconds(of connection: OpaquePointer) -> Int64? {
        guard let chain = SSL_get_peer_cert_chain(connection) else { return nil }
        var rest: Int64 = 86_400
        for index in 0..<airframe_certificates_count(chain) {
            var (days, seconds): (Int32, Int32) = (0, 0)
            guard let certificate = airframe_certificate(chain, index),
                ASN1_TIME_diff(&days, &seconds, nil, X509_get0_notAfter(certificate)) == 1
            else { return nil }
            if days <= 0 { rest = min(rest, Int64(days) * 86_400 + Int64(seconds)) }
        }
        // OpenSSL's clock counts whole seconds.
        return rest - 1
    }

    /// Returns the newest session, and removes it if it is of TLS 1.3: reused tickets would let an observer correlate
    /// connections (RFC 8446 appendix C.4).
    func take() -> Session? {
        sessions.withLock { sessions in
            guard let last = sessions.last else { return nil }
            if SSL_SESSION_get_protocol_version(last.pointer) >= TLS1_3_VERSION { sessions.removeLast() }
            return last
        }
    }
}
