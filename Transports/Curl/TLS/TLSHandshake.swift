internal import AirframeOpenSSL
internal import AirframeTransport
internal import CCurl
internal import COpenSSL

/// One TLS handshake of a transfer: the peer, and the decision on trust.
///
/// A class, because OpenSSL calls back with its address. The connection's `SSL_CTX` keeps it alive.
final class TLSHandshake {
    private enum Judgement {
        /// The trusted roots decide, without waiting.
        case engine(ServerVerification)
        /// The request's evaluation decides, and has not been called yet.
        case evaluation(any TrustEvaluation)
        /// The certificates have arrived. Before TLS 1.3, the rest of the server's flight has not.
        case incomplete(any TrustEvaluation, chain: [DER])
        /// The evaluation is running.
        case pending
        case trusted
        case refused
    }

    let number: UInt64
    let host: String
    let port: Int
    private var judgement: Judgement
    private unowned let engine: Engine
    private let settings: TLSSettings
    private let exchange: ExchangeID
    /// The reason why the server was refused.
    private(set) var failure: ServerVerification.Failure?
    private(set) var refusal: (any Error)?
    /// Whether the server has closed the connection during the evaluation.
    private(set) var wasAbandoned = false
    /// Whether the server has sent more than ``HandshakeReadAhead/limit`` during the evaluation.
    private(set) var wasFlooded = false
    /// Whether the server has sent TLS's closing alert (RFC 8446 §6.1).
    private(set) var wasClosed = false

    init(
        number: UInt64,
        host: String,
        port: Int,
        evaluation: (any TrustEvaluation)?,
        verification: ServerVerification,
        transfer: Transfer
    ) {
        self.number = number
        self.host = host
        self.port = port
        engine = transfer.engine
        settings = transfer.context.tls
        exchange = transfer.id
        judgement = evaluation.map { .evaluation($0) } ?? .engine(verification)
    }

    /// Has the connections of `context` call this handshake for decisions on trust.
    func install(in context: OpaquePointer) {
        let reference = Unmanaged.passRetained(self).toOpaque()
        SSL_CTX_set_ex_data(context, Self.index, reference)
        observe(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(
            context,
            { presented, reference in
                guard let presented, let reference else { return 0 }
                return Unmanaged<TLSHandshake>.fromOpaque(reference).takeUnretainedValue().verify(presented)
            },
            reference
        )
        airframe_ctx_on_server_flight(context) { connection, _ in
            guard let connection, let context = SSL_get_SSL_CTX(connection),
                let reference = SSL_CTX_get_ex_data(context, TLSHandshake.index)
            else { return 0 }
            Unmanaged<TLSHandshake>.fromOpaque(reference).takeUnretainedValue().endServerFlight(connection)
            return 1
        }
    }

    /// Has the connections of `context` report the start of the handshake and the server's closing alert. libcurl 7.88
    /// does not tell a cut connection from a closed one.
    private func observe(_ context: OpaquePointer) {
        SSL_CTX_set_info_callback(context) { connection, event, value in
            let isStart = event & SSL_CB_HANDSHAKE_START != 0
            let isClosing = event & SSL_CB_ALERT != 0 && event & SSL_CB_READ != 0 && value & 0xFF == 0
            guard isStart || isClosing, let connection, let context = SSL_get_SSL_CTX(connection),
                let reference = SSL_CTX_get_ex_data(context, TLSHandshake.index)
            else { return }
            let handshake = Unmanaged<TLSHandshake>.fromOpaque(reference).takeUnretainedValue()
            if isClosing { handshake.wasClosed = true }
            if isStart { handshake.dropStaleSession(of: connection) }
        }
    }

    /// Has the handshake start without the session that libcurl took from its cache, if the server's certificates would
    /// now be refused. The server then presents its current certificates.
    private func dropStaleSession(of connection: OpaquePointer) {
        guard SSL_is_init_finished(connection) == 0, SSL_get_session(connection) != nil,
            case .engine = judgement, !settings.trustsSession(of: connection, host: host)
        else { return }
        SSL_set_session(connection, nil)
    }

    /// Takes the evaluation's answer, which is `nil` if it trusts the server.
    func answer(_ error: (any Error)?) {
        guard case .pending = judgement else { return }
        refusal = error
        judgement = error == nil ? .trusted : .refused
    }

    /// The fate of the client's bytes at the gate.
    var passage: HandshakeGate.Passage {
        switch judgement {
        case .engine, .trusted: .open
        case .evaluation, .incomplete, .pending: .held
        case .refused: .closed
        }
    }

    private func verify(_ presented: OpaquePointer) -> Int32 {
        let index = SSL_get_ex_data_X509_STORE_CTX_idx()
        guard let data = X509_STORE_CTX_get_ex_data(presented, index) else { return 0 }
        let connection = OpaquePointer(data)
        switch judgement {
        case .engine(let verification):
            failure = verification.verify(presented, of: connection, host: host)
            return finish(presented, isTrusted: failure == nil)
        case .trusted:
            return finish(presented, isTrusted: true)
        case .refused:
            return finish(presented, isTrusted: false)
        case .evaluation(let evaluation):
            let chain = CertificateText.chain(X509_STORE_CTX_get0_untrusted(presented))
            guard HandshakeEvidence.comesWithCertificate(connection) else {
                judgement = .incomplete(evaluation, chain: chain)
                return finish(presented, isTrusted: HandshakeGate.install(on: connection, for: self))
            }
            ask(evaluation, about: chain, connection)
            return suspend(presented, connection)
        case .incomplete:
            return finish(presented, isTrusted: false)
        case .pending:
            return suspend(presented, connection)
        }
    }

    private func finish(_ presented: OpaquePointer, isTrusted: Bool) -> Int32 {
        X509_STORE_CTX_set_error(presented, isTrusted ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION)
        return isTrusted ? 1 : 0
    }

    private func suspend(_ presented: OpaquePointer, _ connection: OpaquePointer) -> Int32 {
        wait(on: connection)
        guard !wasFlooded else { return finish(presented, isTrusted: false) }
        return airframe_ssl_retry_verify(connection)
    }

    /// Continues to wait for the answer. Reads the bytes that have arrived, and notices whether the server has closed.
    /// A server that sends too many is refused.
    func wait(on connection: OpaquePointer) {
        switch HandshakeReadAhead.perform(on: connection) {
        case .open: break
        case .closed: wasAbandoned = true
        case .exceeded:
            wasFlooded = true
            judgement = .refused
        }
    }

    /// Notes that the server's flight is complete.
    private func endServerFlight(_ connection: OpaquePointer) {
        guard case .incomplete(let evaluation, let chain) = judgement else { return }
        ask(evaluation, about: chain, connection)
    }

    private func ask(_ evaluation: any TrustEvaluation, about chain: [DER], _ connection: OpaquePointer) {
        judgement = .pending
        let presentation = ServerPresentation(
            chain: chain,
            host: host,
            port: port,
            stapledOCSPResponse: HandshakeEvidence.stapledOCSPResponse(of: connection),
            signedCertificateTimestamps: HandshakeEvidence.timestamps(of: connection)
        )
        engine.ask(TrustQuestion(evaluation, presentation, exchange: exchange, handshake: number))
    }

    private static let index = airframe_ctx_new_index { _, reference, _, _, _, _ in
        guard let reference else { return }
        Unmanaged<TLSHandshake>.fromOpaque(reference).release()
    }
}
