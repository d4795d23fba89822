internal import AirframeOpenSSL
internal import AirframeTransport
internal import Glibc

/// TLS handshakes with the server or with the proxy.
extension Connector {
    /// The peer of a handshake.
    enum HandshakePeer {
        case server
        case proxy(Proxy)
    }

    /// Performs a TLS handshake over `lower`.
    ///
    /// - Returns: The TLS stream.
    func secure(_ lower: ByteStream, _ end: HandshakePeer) async throws(TransportError) -> ByteStream {
        let tls = try await prepare(lower, end)
        let stream = ByteStream(socket: lower.socket, tls: tls)
        let alarm = stream.socket.makeAlarm()
        defer { alarm.cancel() }
        while true {
            switch tls.shakeHands() {
            case .finished: return stream
            case .needsReading: try await wait(stream, for: .reading, alarm)
            case .needsWriting: try await wait(stream, for: .writing, alarm)
            case .question(let question): try await evaluate(question, tls.peer)
            case .failed(let words, let systemError): throw handshakeFailure(end, tls, words, systemError)
            }
        }
    }

    /// Returns the negotiated parameters.
    func description(of tls: TLSStream, _ end: HandshakePeer) throws(TransportError) -> TLSDescription {
        guard let description = tls.description else { throw failure(end, "it chose an unknown TLS version", nil) }
        return description
    }

    private func prepare(_ lower: ByteStream, _ end: HandshakePeer) async throws(TransportError) -> TLSStream {
        let context: TLSContext
        do throws(TransportError) {
            context = try engine.tlsContexts.context(for: profile(end))
        } catch {
            // The context's error does not name the origin.
            throw exchange.plan.error(
                error.code, phase: error.phase, message: error.message, library: error.libraryMessage)
        }
        switch end {
        case .server:
            let session = try await trustedSession()
            let peer = TLSPeer(
                host: exchange.plan.origin.host,
                verification: exchange.plan.trust == nil ? context.verification : nil,
                resuming: session,
                sessions: entry.sessions
            )
            return try TLSStream(context, over: lower, to: peer, resuming: session)
        case .proxy(let proxy):
            let peer = TLSPeer(host: proxy.host, verification: context.verification, resuming: nil, sessions: nil)
            return try TLSStream(context, over: lower, to: peer, resuming: nil)
        }
    }

    private func profile(_ end: HandshakePeer) -> TLSContext.Profile {
        var options = exchange.plan.options.tls
        options.roots = options.roots ?? .system
        guard case .server = end else {
            return TLSContext.Profile(options: options, identity: nil, offer: .http1, asksForStaple: false)
        }
        return TLSContext.Profile(
            options: options,
            identity: exchange.plan.identity,
            offer: exchange.offer,
            asksForStaple: exchange.plan.trust != nil
        )
    }

    // MARK: Trust

    private func evaluate(_ question: TLSPeer.Question, _ peer: TLSPeer) async throws(TransportError) {
        guard let evaluation = exchange.plan.trust else { return peer.answer(isTrusted: false) }
        guard let refusal = try await refusal(by: evaluation, of: question) else { return peer.answer(isTrusted: true) }
        throw exchange.plan.error(
            .trustRefused,
            phase: .tls,
            message: "the trust evaluation rejected \(exchange.plan.origin.host): \(refusal)",
            underlying: refusal
        )
    }

    /// Returns a session to resume. In a resumption the server sends no certificates, so the evaluation is first asked
    /// about those of the full handshake. If it rejects them, the handshake is a full one: the server may have new
    /// certificates.
    private func trustedSession() async throws(TransportError) -> SessionCache.Session? {
        guard let session = entry.sessions.take() else { return nil }
        guard let evaluation = exchange.plan.trust, evaluation.answerCanChange else { return session }
        guard let evidence = session.evidence else { return nil }
        guard try await refusal(by: evaluation, of: evidence) != nil else { return session }
        entry.sessions.remove(session)
        return nil
    }

    /// Returns why the evaluation rejects the server; `nil` if it trusts the server.
    private func refusal(
        by evaluation: any TrustEvaluation,
        of question: TLSPeer.Question
    ) async throws(TransportError) -> (any Error)? {
        let due = exchange.limits.due(in: .tls, since: exchange.since)
        let presentation = ServerPresentation(
            chain: question.chain,
            host: exchange.plan.origin.host,
            port: exchange.plan.origin.port,
            stapledOCSPResponse: question.stapledOCSPResponse,
            signedCertificateTimestamps: question.timestamps
        )
        let scope = EvaluationScope(engine.pool)
        defer { scope.end() }
        let answer = await WithTimeout.run(until: due, on: engine.reactor) {
            try await EvaluationScope.$current.withValue(scope) { try await evaluation.evaluate(presentation) }
        }
        switch answer {
        case .success: return nil
        case .failure(.cancelled): throw exchange.interruption(.cancelled) ?? exchange.lost(ECANCELED)
        case .failure(.timeUp): throw exchange.interruption(.timeUp) ?? exchange.lost(ETIMEDOUT)
        case .failure(.failed(let refusal)): return refusal
        }
    }

    // MARK: Errors

    @inline(never)
    private func handshakeFailure(
        _ end: HandshakePeer,
        _ tls: TLSStream,
        _ words: String,
        _ systemError: Int32
    ) -> TransportError {
        if let refusal = tls.peer.failure { return refused(end, refusal) }
        if case .server = end, OpenSSLError.blamesIdentity(words) {
            return exchange.plan.error(
                .clientIdentityRefused,
                phase: .tls,
                message: "the server requires a client certificate that it trusts",
                library: "OpenSSL: \(words)"
            )
        }
        let isCut = systemError != 0 || words.contains("unexpected eof") || words.contains("closed the connection")
        let message = isCut ? "the connection was lost during the TLS handshake" : "the TLS handshake failed"
        return failure(end, message, systemError == 0 ? "OpenSSL: \(words)" : SystemError.text(systemError))
    }

    private func failure(_ end: HandshakePeer, _ message: String, _ library: String?) -> TransportError {
        switch end {
        case .server:
            exchange.plan.error(.tlsFailed, phase: .tls, message: message, library: library)
        case .proxy:
            exchange.plan.error(.proxyFailed, phase: .proxy, message: "with the proxy, \(message)", library: library)
        }
    }

    private func refused(_ end: HandshakePeer, _ refusal: ServerVerification.Failure) -> TransportError {
        let isProxy = if case .proxy = end { true } else { false }
        return TransportError(
            isProxy ? .proxyFailed : .trustRefused,
            phase: isProxy ? .proxy : .tls,
            processing: .notSent,
            message: isProxy ? "the proxy's certificate was rejected: \(refusal.message)" : refusal.message,
            origin: exchange.plan.origin,
            libraryMessage: refusal.libraryMessage,
            urlErrorCode: refusal.urlErrorCode
        )
    }
}
