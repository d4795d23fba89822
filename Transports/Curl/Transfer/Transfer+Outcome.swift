internal import AirframeOpenSSL
internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import Glibc
internal import HTTPTypes

/// How a transfer ended.
extension Transfer {
    /// What libcurl's result means.
    func outcome(of result: CURLcode) -> Result<Void, TransportError> {
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

    /// A response that came whole while the request was still being sent is whole, whatever became of the rest.
    private func isCompleteAnyway(_ result: CURLcode) -> Bool {
        guard result == CURLE_SEND_ERROR, start != nil, let expectedLength else { return false }
        return receivedCount == expectedLength
    }

    /// Errors made in callbacks know no more of what was sent than that it may have been.
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

    /// Whether the end of the connection was the end of the content, and anybody may have brought it about
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
            message = "the response's head is larger than the \(limit) bytes that are allowed"
        case .tooManyFields(let limit):
            code = .headTooLarge
            message = "the response's head has more than the \(limit) fields that are allowed"
        case .tooManyInformational(let limit):
            code = .malformedResponse
            message = "more than \(limit) informational responses came and no final one"
        }
        // A length that is none is found when the head has been read, and is still the head's fault.
        let phase: TransportPhase = start == nil ? .responseHead : .responseBody
        return TransportError(code, phase: phase, processing: .unknown, message: message, origin: plan.origin)
    }

    // MARK: Errors of libcurl

    func error(for result: CURLcode) -> TransportError {
        let situation = CurlFailure.Situation(
            stage: stage,
            host: plan.origin.host,
            proxy: plan.route.proxy.map { "\($0.host):\($0.port)" },
            tunnelStatus: tunnel.isUp ? nil : tunnel.status,
            systemError: Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO)),
            receivedCount: receivedCount,
            expectedLength: expectedLength
        )
        let words = easy.errorMessage ?? CurlLibrary.text(result)
        if let error = trustError(words) { return error }
        if result == CURLE_SSL_CONNECT_ERROR, let handshake, handshake.wasAbandoned {
            return plan.error(
                .tlsFailed,
                phase: .tls,
                message: "the server closed the connection while its certificates were judged",
                library: "libcurl: \(words) (\(result.rawValue))"
            )
        }
        let failure = CurlFailure(result, words: words, situation: situation)
        return TransportError(
            failure.code,
            phase: failure.phase,
            // With TLS 1.3 the server judges the client when the request is on its way already.
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
            message: "no socket for \(place): \(words)\(detail)",
            origin: plan.origin
        )
    }

    /// libcurl closed a socket that had not connected.
    func noteFailedConnect(_ link: Link) {
        guard stage <= .proxy else { return }
        // libcurl reads the socket's error, and remembers it only.
        let code = Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO))
        let words =
            link.isGivenUp
            ? "no answer within \(AddressLanes.patience), and another address waits"
            : code == 0 ? "given up for another address" : String(cString: strerror(code))
        let error = TransportError(
            .connectFailed,
            phase: .connect,
            processing: .notSent,
            message: "\(link.address): \(words)",
            origin: plan.origin
        )
        emit(.connectFailed(link.address, error))
    }

    /// libcurl watches another thing of a socket: one that has just connected is read from.
    func noteSocket(_ descriptor: Int32, action: Int32) {
        if stage == .connect, action == CURL_POLL_IN, descriptor == link?.descriptor { noteConnected() }
    }
}
