internal import COpenSSL
internal import Synchronization

/// Sessions that handshakes with one server can resume.
///
/// It belongs to the key of the pool, so that what one trust evaluation accepted is never resumed under another.
final class SessionCache: Sendable {
    /// A session of OpenSSL's.
    ///
    /// `@unchecked Sendable`: OpenSSL counts references to sessions atomically, and one that is made is immutable.
    final class Session: @unchecked Sendable {
        let pointer: OpaquePointer
        /// What the evaluation was asked in the full handshake that the session comes from; `nil` when the engine
        /// judged.
        let evidence: TLSPeer.Question?

        /// Takes over a reference.
        init(_ pointer: OpaquePointer, evidence: TLSPeer.Question?) {
            self.pointer = pointer
            self.evidence = evidence
        }

        deinit { SSL_SESSION_free(pointer) }
    }

    private static let capacity = 8

    // Guards the sessions.
    private let sessions = Mutex<[Session]>([])

    var isEmpty: Bool { sessions.withLock { $0.isEmpty } }

    /// Keeps a session that a server has offered.
    func add(_ session: Session) {
        sessions.withLock { sessions in
            if sessions.count == Self.capacity { sessions.removeFirst() }
            sessions.append(session)
        }
    }

    /// Forgets a session whose server is not trusted any more.
    func remove(_ session: Session) { sessions.withLock { $0.removeAll { $0 === session } } }

    /// The newest session. One of TLS 1.3 is not used twice: tickets that are would tie connections together (RFC 8446
    /// appendix C.4).
    func take() -> Session? {
        sessions.withLock { sessions in
            guard let last = sessions.last else { return nil }
            if SSL_SESSION_get_protocol_version(last.pointer) >= TLS1_3_VERSION { sessions.removeLast() }
            return last
        }
    }
}
