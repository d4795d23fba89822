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

    private static let capacity = 8

    // Guards the sessions.
    private let sessions = Mutex<[Session]>([])
    /// A verdict, and the verification that reached it.
    private struct TrustedChain: Sendable {
        let verdict: SessionVerdict
        let verification: ServerVerification
    }

    // Guards the verdict.
    private let trustedChain = Mutex<TrustedChain?>(nil)

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

    /// Returns whether a verification with the same roots found `chain` to be trusted a short while ago.
    func wasTrusted(_ chain: [DER], by verification: ServerVerification) -> Bool {
        trustedChain.withLock { known in
            guard let known, known.verification.hasStore(of: verification) else { return false }
            return known.verdict.holds(for: chain, at: Monotonic.now)
        }
    }

    /// Records that `verification` trusts `chain`.
    func keepTrust(in chain: [DER], by verification: ServerVerification) {
        let kept = SessionVerdict(trusting: chain, at: Monotonic.now).map {
            TrustedChain(verdict: $0, verification: verification)
        }
        trustedChain.withLock { $0 = kept }
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
