internal import AirframeTransport
internal import CCurl
internal import HTTPTypes

/// How a transfer over HTTP/2 ends, by libnghttp2's reports on its stream. libcurl 7.88 takes many broken streams for
/// ended ones.
extension Transfer {
    /// Takes the stream on which the request's head was sent.
    func beginStream(_ stream: HTTP2Stream) {
        http2?.session.forget(self)
        http2 = stream
        if case .some = unreportedConnection { reportStream() }
    }

    /// Reports the connection with the identifier of the stream, if the request has got one, and that the head was
    /// sent.
    func reportStream() {
        guard var connection = unreportedConnection.take() else { return }
        connection.streamID = http2.map { Int($0.number) }
        emit(.connectionAcquired(connection))
        // libcurl adds fields whose length is not known here.
        emit(.requestHeadSent(byteCount: nil))
        if plan.body.isEmpty { emit(.requestFinished) }
    }

    /// Returns the outcome of a transfer over HTTP/2.
    func outcome(of result: CURLcode, on stream: HTTP2Stream) -> Result<Void, TransportError> {
        guard start != nil, isWhole(stream) else { return .failure(error(for: result, on: stream)) }
        emitTrailers()
        return .success(())
    }

    /// Whether all content has been handed over: the content has its announced length, or the server has ended the
    /// stream and libcurl has dropped nothing.
    private func isWhole(_ stream: HTTP2Stream) -> Bool {
        if let expectedLength { return receivedCount >= expectedLength }
        return stream.hasEnded && (receivedCount >= stream.contentCount || plan.method == .head)
    }

    private func error(for result: CURLcode, on stream: HTTP2Stream) -> TransportError {
        let library = "libcurl: \(easy.errorMessage ?? CurlLibrary.text(result)) (\(result.rawValue))"
        func failed(
            _ code: TransportError.Code,
            _ message: String,
            _ processing: TransportError.Processing = .unknown
        ) -> TransportError {
            TransportError(
                code,
                phase: start != nil
                    ? .responseBody : stage == .send && code == .connectionLost ? .requestBody : .responseHead,
                processing: processing,
                message: message,
                origin: plan.origin,
                libraryMessage: library
            )
        }
        if let refusal { return refusal }
        switch stream.session.fault {
        case .flood:
            return failed(
                .malformedResponse,
                "the server floods the HTTP/2 connection with frames without content (RFC 9113 §10.5)")
        case .protocolError(let code, let reason):
            let detail = reason.isEmpty ? "" : ": \(reason)"
            return failed(
                .malformedResponse, "the server violated the HTTP/2 protocol (\(HTTP2Code.name(code)))\(detail)")
        case nil:
            break
        }
        if let code = stream.resetCode {
            let lost: TransportError.Code = code == 0 && start != nil ? .bodyTruncated : .connectionLost
            return failed(lost, "the server reset the HTTP/2 stream (\(HTTP2Code.name(code)))")
        }
        // libcurl itself sends RST_STREAM with STREAM_CLOSED when it ends a transfer.
        if let code = stream.sentCode, code != HTTP2Code.streamClosed {
            return failed(.malformedResponse, "the response violates the HTTP/2 protocol (\(HTTP2Code.name(code)))")
        }
        if let code = stream.session.goAway?.code, code != 0 {
            return failed(.connectionLost, "the server closed the HTTP/2 connection (\(HTTP2Code.name(code)))")
        }
        // libcurl wanted to send the request again, and was stopped when it opened a connection.
        if stream.hasBegun, start == nil, result == CURLE_COULDNT_CONNECT {
            return failed(.connectionLost, "the server closed the HTTP/2 connection within the response")
        }
        guard result == CURLE_OK || stream.hasEnded else { return error(for: result) }
        guard start != nil else {
            return failed(.connectionLost, "the HTTP/2 connection ended before a response arrived")
        }
        return failed(
            .bodyTruncated,
            "the response's body ended after \(receivedCount) bytes, before the end of its HTTP/2 stream")
    }

    /// Returns the error for a response over HTTP/2 whose stream was not reported.
    func unobserved() -> TransportError {
        TransportError(
            .engineFailure,
            phase: .responseBody,
            processing: .unknown,
            message: "the end of the HTTP/2 stream was not reported by libnghttp2: use HTTP/1.1 with this libcurl",
            origin: plan.origin
        )
    }

    // MARK: Requests that the server has not processed

    /// The error of a request that the server has refused before it answered.
    var refusal: TransportError? {
        guard start == nil, let stream = http2, stream.isRefused || stream.requiresHTTP1 else { return nil }
        let message =
            if stream.requiresHTTP1 {
                Self.http1Requirement
            } else if stream.resetCode == nil {
                "the server closes the connection and has not processed the request (GOAWAY, RFC 9113 §8.7)"
            } else {
                "the server has refused the request's HTTP/2 stream unprocessed (REFUSED_STREAM, RFC 9113 §8.7)"
            }
        return TransportError(
            .connectionLost,
            phase: .responseHead,
            processing: .notProcessed,
            message: message,
            origin: plan.origin
        )
    }

    /// Whether the engine sends the request again, because the server refused it for the first time and libcurl does
    /// not repeat it.
    func repeatsRefused() -> Bool {
        guard failure == nil, !wasRefused, !requiresHTTP1, let refusal, rewindsForRepetition() else { return false }
        noteRepetition(refusal)
        isRetryPermitted = true
        return true
    }

    /// Whether libcurl may send the request again, or `nil` if the server did not refuse it.
    func mayRepeatRefused() -> Bool? {
        // libcurl repeats a refused request up to five times.
        guard let refusal, !requiresHTTP1 else { return nil }
        guard !wasRefused else {
            failure = refusal
            return false
        }
        noteRepetition(refusal)
        isRetryPermitted = true
        return true
    }

    private func noteRepetition(_ refusal: TransportError) {
        wasRefused = true
        emit(.decided(TransportDecision(.retried(attempt: 2), reason: refusal.message)))
        http2?.session.forget(self)
        http2 = nil
    }

    private func rewindsForRepetition() -> Bool {
        guard let upload else { return true }
        return upload.rewind(to: 0, replay: plan.request.body.replay)
    }

    // MARK: Requests that the server requires over HTTP/1.1

    private static let http1Requirement =
        "the server requires HTTP/1.1 for the request (HTTP_1_1_REQUIRED, RFC 9113 §7)"

    /// Whether the server requires the request over HTTP/1.1. libcurl starts over by itself then, which cannot be told
    /// from its retry after a dead connection, and also if the request is for HTTP/2 only.
    var requiresHTTP1: Bool { start == nil && http2?.requiresHTTP1 == true }

    /// Returns the reason why the request is sent again over HTTP/1.1, regardless of its method; `nil` if it is not.
    func takeHTTP1Requirement() -> String? {
        guard failure == nil, requiresHTTP1, !isHTTP1Required, plan.httpVersion == .automatic, rewindsForRepetition()
        else { return nil }
        isHTTP1Required = true
        return Self.http1Requirement
    }

    // MARK: Windows

    /// Pauses or resumes the content of the request.
    func pauseSending(_ isClosed: Bool) {
        isWindowClosed = isClosed
        applyPause()
    }

    /// Sets libcurl's paused directions. libcurl resumes the others, and may call back.
    func applyPause() {
        easy.pause((isWindowClosed ? CURLPAUSE_SEND : 0) | (isPaused ? CURLPAUSE_RECV : 0))
    }

    // MARK: Prior knowledge

    /// Whether opening and joining a connection need different settings of libcurl.
    var separatesPriorKnowledge: Bool {
        plan.httpVersion == .http2PriorKnowledge && !plan.origin.isSecure && !CurlLibrary.keepsPriorKnowledge
    }

    /// Whether libcurl can send a request with prior knowledge over the connection that it has chosen. If not, the
    /// transfer starts over with the other setting: 7.88 opens connections only with the setting for prior knowledge,
    /// and reuses connections only with another.
    func mayUsePriorKnowledge(isReused: Bool) -> Bool {
        guard separatesPriorKnowledge, isReused != joinsHTTP2 else { return true }
        joinsHTTP2 = isReused
        isOnDeadConnection = true
        return false
    }

    /// Prepares the handle for another start of the transfer.
    func prepareAgain() {
        isWindowClosed = false
        if separatesPriorKnowledge {
            let version = joinsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            easy.set(CURLOPT_HTTP_VERSION, Int(version))
        }
    }
}

extension Engine {
    /// Ends a transfer whose HTTP/2 connection has failed.
    func endTransfer(_ transfer: Transfer, on stream: HTTP2Stream) {
        guard transfers[transfer.id] === transfer else { return }
        end(transfer) { $0.outcome(of: CURLE_OK, on: stream) }
    }
}
