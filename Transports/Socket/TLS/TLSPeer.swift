internal import AirframeOpenSSL
internal import AirframeTransport
internal import COpenSSL
internal import Synchronization

/// The server of a TLS connection: its expected name, and the evaluation of its chain.
///
/// A class, because OpenSSL calls back with its address. The connection keeps it alive.
final class TLSPeer: Sendable {
    /// The input of a trust evaluation.
    struct Question: Sendable {
        let chain: [DER]
        let stapledOCSPResponse: DER?
        let timestamps: [UInt8]?
    }

    private enum Judgement {
        /// The engine verifies the chain against the roots, immediately.
        case engine(ServerVerification)
        /// An evaluation decides, and has not been called yet.
        case evaluation
        /// The certificates have arrived, and the rest of the server's flight has not. Before TLS 1.3 an OCSP response
        /// follows in a message of its own (RFC 6066 §8).
        case incomplete(chain: [DER])
        /// The evaluation is in progress.
        case pending(Question)
        case trusted
        case refused
    }

    let host: String
    private let sessions: SessionCache?
    // Guards the result of the verification. OpenSSL calls back on the thread that drives the handshake.
    private let judgement: Mutex<Judgement>
    private let silence = Atomic(false)
    private let failureState = Mutex<ServerVerification.Failure?>(nil)
    // Guards the question that sessions store for their resumption.
    private let evidence: Mutex<Question?>

    /// - Parameters:
    ///   - verification: The engine's verification; `nil` if an evaluation decides.
    ///   - session: The session that is offered to the server.
    ///   - sessions: The cache for sessions that the server offers.
    init(
        host: String,
        verification: ServerVerification?,
        resuming session: SessionCache.Session?,
        sessions: SessionCache?
    ) {
        self.host = host
        self.sessions = sessions
        judgement = Mutex(verification.map { .engine($0) } ?? .evaluation)
        evidence = Mutex(session?.evidence)
    }

    /// Why the engine refused the server.
    var failure: ServerVerification.Failure? { failureState.withLock { $0 } }

    /// The question for the evaluation.
    var question: Question? {
        judgement.withLock { judgement in
            if case .pending(let question) = judgement { question } else { nil }
        }
    }

    /// Records the evaluation's answer.
    func answer(isTrusted: Bool) {
        judgement.withLock { $0 = isTrusted ? .trusted : .refused }
        if isTrusted { silence.store(false, ordering: .releasing) }
    }

    /// Whether nothing may be sent to the server. OpenSSL can suspend a handshake only at the certificate. If the
    /// question needs later messages, the client's flight, which contains its identity, is held back instead.
    var isSilent: Bool { silence.load(ordering: .acquiring) }

    // MARK: OpenSSL's callbacks

    private static let index = airframe_ssl_new_index()

    /// Attaches this peer to an OpenSSL connection. The connection's owner keeps both alive.
    func attach(to connection: OpaquePointer) {
        SSL_set_ex_data(connection, Self.index, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func peer(of connection: OpaquePointer) -> TLSPeer? {
        SSL_get_ex_data(connection, index).map { Unmanaged<TLSPeer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Installs the callbacks of `context`, which call the connection's peer.
    static func install(in context: OpaquePointer) {
        SSL_CTX_set_cert_verify_callback(
            context,
            { presented, _ in
                guard let presented,
                    let data = X509_STORE_CTX_get_ex_data(presented, SSL_get_ex_data_X509_STORE_CTX_idx()),
                    let peer = TLSPeer.peer(of: OpaquePointer(data))
                else { return 0 }
                return peer.verify(presented, OpaquePointer(data))
            },
            nil
        )
        airframe_ctx_on_server_flight(context) { connection, _ in
            guard let connection, let peer = TLSPeer.peer(of: connection) else { return 0 }
            peer.endServerFlight(connection)
            return 1
        }
        SSL_CTX_sess_set_new_cb(context) { connection, session in
            guard let connection, let session, let peer = TLSPeer.peer(of: connection), let sessions = peer.sessions,
                SSL_SESSION_is_resumable(session) == 1
            else { return 0 }
            sessions.add(SessionCache.Session(session, evidence: peer.evidence.withLock(\.self)))
            return 1
        }
    }

    private func verify(_ presented: OpaquePointer, _ connection: OpaquePointer) -> Int32 {
        judgement.withLock { judgement in
            switch judgement {
            case .engine(let verification):
                let found = verification.verify(presented, of: connection, host: host)
                failureState.withLock { $0 = found }
                return found == nil ? 1 : 0
            case .evaluation:
                let chain = CertificateText.chain(X509_STORE_CTX_get0_untrusted(presented))
                guard HandshakeEvidence.comesWithCertificate(connection) else {
                    judgement = .incomplete(chain: chain)
                    silence.store(true, ordering: .releasing)
                    X509_STORE_CTX_set_error(presented, X509_V_OK)
                    return 1
                }
                judgement = .pending(question(chain, connection))
                return airframe_ssl_retry_verify(connection)
            case .pending:
                return airframe_ssl_retry_verify(connection)
            case .trusted:
                X509_STORE_CTX_set_error(presented, X509_V_OK)
                return 1
            case .incomplete, .refused:
                X509_STORE_CTX_set_error(presented, X509_V_ERR_APPLICATION_VERIFICATION)
                return 0
            }
        }
    }

    /// Handles the end of the server's flight, before the client answers.
    private func endServerFlight(_ connection: OpaquePointer) {
        judgement.withLock { judgement in
            guard case .incomplete(let chain) = judgement else { return }
            judgement = .pending(question(chain, connection))
        }
    }

    private func question(_ chain: [DER], _ connection: OpaquePointer) -> Question {
        let question = Question(
            chain: chain,
            stapledOCSPResponse: HandshakeEvidence.stapledOCSPResponse(of: connection),
            timestamps: HandshakeEvidence.timestamps(of: connection)
        )
        evidence.withLock { $0 = question }
        return question
    }

    /// Returns whether the session that `connection` is about to offer may be resumed. An evaluation has already
    /// accepted it.
    func allowsSession(of connection: OpaquePointer) -> Bool {
        guard case .engine(let verification) = judgement.withLock(\.self) else { return true }
        let chain = ServerVerification.chainOfSession(connection)
        if let sessions, sessions.wasTrusted(chain, by: verification) { return true }
        guard verification.stillTrustsSession(with: chain, of: connection, host: host) else { return false }
        sessions?.keepTrust(in: chain, by: verification)
        return true
    }
}
