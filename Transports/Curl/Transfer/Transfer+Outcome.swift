internal import AirframeOpenSSL
internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import Glibc
internal import HTTPTypes

/// How a transfer ends.
extension Transfer {
    /// Returns the outcome that libcurl's result stands for.
    func outcome(of result: CURLcode) -> Result<Void, TransportError> {
        if result == CURLE_OK, failure == nil { _ = releaseChallenge() }
        if let failure { return .failure(withVerdict(failure)) }
        if let stream = http2, !isAnswered { return outcome(of: result, on: stream) }
        guard result == CURLE_OK || isAnswered else {
            return isCompleteAnyway(result) ? .success(()) : .failure(error(for: result))
        }
        guard start != nil else { return .failure(error(for: CURLE_GOT_NOTHING)) }
        if let expectedLength, receivedCount < expectedLength { return .failure(truncated()) }
        if let decoder, !decoder.isComplete { return .failure(cutChunks()) }
        guard !parser.rules.isHTTP2 || isAnswered || !HTTP2Probe.isObservable else { return .failure(unobserved()) }
        if wasCut { return .failure(cut()) }
        emitTrailers()
        return .success(())
    }

    func emitTrailers() {
        if let trailers = parser.trailers { emit(.trailers(trailers)) }
    }

    /// Whether the response is complete although the request was not sent whole.
    private func isCompleteAnyway(_ result: CURLcode) -> Bool {
        guard result == CURLE_SEND_ERROR, start != nil, let expectedLength else { return false }
        return receivedCount == expectedLength
    }

    /// Returns `error` as not sent, if no byte of the request left. Callbacks do not know that.
    private func withVerdict(_ error: TransportError) -> TransportError {
        guard error.processing == .unknown, !hasSent else { return error }
        return TransportError(
            error.code,
            phase: error.phase,
            processing: .notSent,
            message: error.message,
            origin: error.origin,
            libraryMessage: error.libraryMessage,
            urlErrorCode: error.urlErrorCode,
            underlying: error.underlying
        )
    }

    /// Whether the end of the connection ended the content without TLS's closing message: an attacker may have cut it
    /// (RFC 9112 §9.8).
    private var wasCut: Bool {
        guard let handshake = link?.handshake, !handshake.wasClosed, expectedLength == nil, !parser.rules.isHTTP2
        else { return false }
        return start?.head.headerFields.contains(.transferEncoding) == false
    }

    private func cut() -> TransportError {
        TransportError(
            .bodyTruncated,
            phase: .responseBody,
            processing: .unknown,
            message: "the connection ended without the TLS close that ends content of unknown length",
            origin: plan.origin
        )
    }

    func truncated() -> TransportError {
        TransportError(
            .bodyTruncated,
            phase: .responseBody,
            processing: .unknown,
            message: "the response's body ended after \(receivedCount) of \(expectedLength ?? 0) bytes",
            origin: plan.origin
        )
    }

    private func cutChunks() -> TransportError {
        TransportError(
            .bodyTruncated,
            phase: .responseBody,
            processing: .unknown,
            message: "the response's body ended after \(receivedCount) bytes, before its last chunk",
            origin: plan.origin
        )
    }

    func responseError(_ failure: HeadParser.Failure) -> TransportError {
        let code: TransportError.Code
        let message: String
        switch failure {
        case .malformed(let reason):
            code = .malformedResponse
            message = reason
        case .tooLarge(let limit):
            code = .headTooLarge
            message = "the response's head exceeds the limit of \(limit) bytes"
        case .tooManyFields(let limit):
            code = .headTooLarge
            message = "the response's head exceeds the limit of \(limit) fields"
        case .tooManyInformational(let limit):
            code = .headTooLarge
            message = "more than \(limit) informational responses arrived and no final one"
        }
        // A malformed length is found when the head has been read, and is still a fault of the head.
        let phase: TransportPhase = start == nil ? .responseHead : .responseBody
        return TransportError(code, phase: phase, processing: .unknown, message: message, origin: plan.origin)
    }

    // MARK: Errors of libcurl

    func error(for result: CURLcode) -> TransportError {
        if let openFailure { return openFailure }
        let situation = CurlFailure.Situation(
            stage: stage == .send && parser.isWithinHead ? .head : stage,
            host: plan.origin.host,
            proxy: plan.route.proxy.map { "\($0.host):\($0.port)" },
            unixSocketPath: plan.options.unixSocketPath,
            tunnelStatus: tunnel.isUp ? nil : tunnel.status,
            systemError: Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO)),
            receivedCount: receivedCount,
            expectedLength: expectedLength
        )
        let words = easy.errorMessage ?? CurlLibrary.text(result)
        if let error = trustError(words) { return error }
        if let handshake, handshake.wasFlooded {
            let limit = HandshakeReadAhead.limit
            return plan.error(
                .tlsFailed,
                phase: .tls,
                message: "the server sent more than \(limit) bytes while its certificates were evaluated",
                library: "libcurl: \(words) (\(result.rawValue))"
            )
        }
        if result == CURLE_SSL_CONNECT_ERROR, let handshake, handshake.wasAbandoned {
            return plan.error(
                .tlsFailed,
                phase: .tls,
                message: "the server closed the connection while its certificates were evaluated",
                library: "libcurl: \(words) (\(result.rawValue))"
            )
        }
        let failure = CurlFailure(result, words: words, situation: situation)
        return TransportError(
            failure.code,
            phase: failure.phase,
            // With TLS 1.3 the server checks the client's certificate when the request may already have been sent.
            processing: failure.isUnprocessed || failure.phase == .tls && hasSent ? .notProcessed : processing,
            message: failure.message,
            origin: plan.origin,
            libraryMessage: "libcurl: \(words) (\(result.rawValue))"
        )
    }

    private func trustError(_ words: String) -> TransportError? {
        guard let handshake else { return nil }
        if let refusal = handshake.refusal {
            return TransportError(
                .trustRefused,
                phase: .tls,
                processing: .notSent,
                message: "the trust evaluation refused \(handshake.host): \(refusal)",
                origin: plan.origin,
                underlying: refusal
            )
        }
        guard let failure = handshake.failure else { return nil }
        let isProxy = handshake.host == plan.route.proxy?.host && stage < .tls
        return TransportError(
            isProxy ? .proxyFailed : .trustRefused,
            phase: isProxy ? .proxy : .tls,
            processing: .notSent,
            message: isProxy ? "the proxy's certificate was refused: \(failure.message)" : failure.message,
            origin: plan.origin,
            libraryMessage: failure.libraryMessage,
            urlErrorCode: failure.urlErrorCode
        )
    }

    func proxyError(_ message: String, status: Int) -> TransportError {
        TransportError(
            .proxyFailed,
            phase: .proxy,
            processing: .notProcessed,
            message: "\(message): it answered \(status)",
            origin: plan.origin
        )
    }

    // MARK: Errors of sockets

    func socketError(_ code: Int32, _ place: SocketAddress) -> TransportError {
        let isExhausted = code == EMFILE || code == ENFILE
        let words = String(cString: strerror(code))
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let detail = isExhausted ? "; the process may have \(limit.rlim_cur)" : ""
        return TransportError(
            isExhausted ? .engineFailure : .connectFailed,
            phase: .connect,
            processing: .notSent,
            message: "no socket could be opened for \(place): \(words)\(detail)",
            origin: plan.origin
        )
    }

    func bindingError(_ refusal: LocalBinding.Refusal) -> TransportError {
        let words = String(cString: strerror(refusal.code))
        if let proxy = plan.route.proxy {
            let message = "the proxy \(proxy.host):\(proxy.port) cannot be reached: \(words)"
            return plan.error(.proxyFailed, phase: .proxy, message: message)
        }
        return plan.error(
            .connectFailed, phase: .connect, message: "the local address or interface cannot be used: \(words)")
    }

    /// Reports a socket that libcurl closed before it had connected.
    func noteFailedConnect(_ link: Link) {
        guard stage <= .proxy else { return }
        // libcurl has read the socket's error, and keeps it in CURLINFO_OS_ERRNO.
        let code = Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO))
        let words =
            link.isGivenUp
            ? "no answer within \(AddressLanes.patience); another address is tried"
            : code == 0 ? "closed in favour of another address" : String(cString: strerror(code))
        let error = TransportError(
            .connectFailed,
            phase: .connect,
            processing: .notSent,
            message: "\(link.address): \(words)",
            origin: plan.origin
        )
        emit(.connectFailed(link.address, error))
    }

    /// Notices that a socket has connected, by libcurl's wish to read from it.
    func noteSocket(_ descriptor: Int32, action: Int32) {
        if stage == .connect, action == CURL_POLL_IN, descriptor == link?.descriptor { noteConnected() }
    }
}
