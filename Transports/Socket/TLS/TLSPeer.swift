internal import AirframeTransport
internal import COpenSSL
internal import Synchronization

/// The server at the other end of a TLS connection: who it should be, who judges it, and what came of that.
///
/// A class, because OpenSSL calls back with its address. The connection keeps it alive.
final class TLSPeer: Sendable {
    /// What an evaluation is asked.
    struct Question: Sendable {
        let chain: [DER]
        let stapledOCSPResponse: DER?
    }

    private enum Judgement {
        /// By the roots, at once.
        case engine
        /// By an evaluation, which has not been asked yet.
        case evaluation
        /// The evaluation is at work.
        case pending(Question)
        case trusted
        case refused
    }

    let host: String
    private let sessions: SessionCache?
    // Guards the judgement: OpenSSL calls back from whichever thread drives the handshake.
    private let judgement: Mutex<Judgement>
    private let failureState = Mutex<ServerVerification.Failure?>(nil)

    /// - Parameters:
    ///   - isEvaluated: Whether an evaluation judges, and not the engine.
    ///   - sessions: Where sessions go that the server offers.
    init(host: String, isEvaluated: Bool, sessions: SessionCache?) {
        self.host = host
        self.sessions = sessions
        judgement = Mutex(isEvaluated ? .evaluation : .engine)
    }

    /// Why the engine refused the server.
    var failure: ServerVerification.Failure? { failureState.withLock { $0 } }

    /// What the evaluation is to be asked.
    var question: Question? {
        judgement.withLock { judgement in
            if case .pending(let question) = judgement { question } else { nil }
        }
    }

    /// The evaluation has answered.
    func answer(isTrusted: Bool) { judgement.withLock { $0 = isTrusted ? .trusted : .refused } }

    // MARK: OpenSSL's calls

    private static let index = airframe_ssl_new_index()

    /// Has OpenSSL find this peer by its connection. The connection's owner keeps both alive.
    func attach(to connection: OpaquePointer) {
        SSL_set_ex_data(connection, Self.index, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func peer(of connection: OpaquePointer) -> TLSPeer? {
        SSL_get_ex_data(connection, index).map { Unmanaged<TLSPeer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Has the connections of `context` ask their peers.
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
        SSL_CTX_sess_set_new_cb(context) { connection, session in
            guard let connection, let session, let sessions = TLSPeer.peer(of: connection)?.sessions,
                SSL_SESSION_is_resumable(session) == 1
            else { return 0 }
            sessions.add(SessionCache.Session(session))
            return 1
        }
    }

    private func verify(_ presented: OpaquePointer, _ connection: OpaquePointer) -> Int32 {
        judgement.withLock { judgement in
            switch judgement {
            case .engine:
                let found = ServerVerification.verify(presented, host: host)
                failureState.withLock { $0 = found }
                return found == nil ? 1 : 0
            case .evaluation:
                judgement = .pending(Self.question(presented, connection))
                return airframe_ssl_retry_verify(connection)
            case .pending:
                return airframe_ssl_retry_verify(connection)
            case .trusted:
                X509_STORE_CTX_set_error(presented, X509_V_OK)
                return 1
            case .refused:
                X509_STORE_CTX_set_error(presented, X509_V_ERR_APPLICATION_VERIFICATION)
                return 0
            }
        }
    }

    private static func question(_ presented: OpaquePointer, _ connection: OpaquePointer) -> Question {
        var staple: UnsafePointer<UInt8>?
        // TLS 1.3 brings the staple with the certificate; TLS 1.2 only after it, too late for this question.
        let count = airframe_ssl_stapled_ocsp(connection, &staple)
        let response = staple.flatMap { count > 0 ? DER(Array(UnsafeBufferPointer(start: $0, count: count))) : nil }
        let chain = CertificateText.chain(X509_STORE_CTX_get0_untrusted(presented))
        return Question(chain: chain, stapledOCSPResponse: response)
    }
}
