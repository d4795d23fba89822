internal import AirframeTransport
internal import CCurl
internal import HTTPTypes

// Requests whose kept connection turned out to be dead (RFC 9112 §9.3.1).
//
// libcurl 7.88 repeats such a request itself if the connection ended while libcurl was reading, but not while it was
// writing. It does so up to five times, over further kept connections, and writes before its buffer if the body had
// trailers. The engine therefore stops libcurl's own retry (`Transfer.refusesRetry`) and repeats the request once, on a
// new connection with a new handle.

extension Engine {
    /// Repeats a request if that is permitted. Returns `false` if its outcome stands.
    func repeatOnce(_ transfer: Transfer, after result: CURLcode) -> Bool {
        guard let reason = transfer.repetitionReason(after: result), let easy = EasyHandle() else { return false }
        transfer.emit(.decided(TransportDecision(.retried(attempt: 2), reason: reason)))
        let old = transfer.easy
        old.transfer = nil
        transfer.context.multi.remove(old)
        old.set(CURLOPT_SHARE, pointer: nil)
        do throws(TransportError) {
            try transfer.startOver(with: easy)
            add(transfer)
        } catch {
            end(transfer) { _ in .failure(error) }
        }
        return true
    }
}

extension Transfer {
    /// Whether libcurl has begun to repeat the request by itself and has to stop: ``Engine`` repeats the request, or it
    /// fails. libcurl may repeat an HTTP/2 stream that the server refused, because nothing of it was processed.
    func refusesRetry() -> Bool {
        guard attemptCount > 0, !isRetryPermitted else { return false }
        guard start == nil else {
            // A 417 makes libcurl send the request again without `Expect`, which is the caller's decision. The code
            // HTTP_1_1_REQUIRED makes it send the request again in the middle of a body.
            isAnswered = start?.head.status.code == 417
            return true
        }
        // A request that the server has begun to answer is not repeated; one that is required over HTTP/1.1 is by the
        // engine.
        if http2?.hasBegun == true || requiresHTTP1 { return true }
        // `beginRequest` decides on a refused stream: libcurl has rewound the body by then.
        if refusal != nil { return false }
        guard connectionWasReused else { return false }
        wasRetried = true
        return true
    }

    /// Returns the reason why the request is sent again, or `nil` if it is not. Sets ``failure`` if the request may not
    /// be repeated after a lost connection.
    fileprivate func repetitionReason(after result: CURLcode) -> String? {
        if let reason = takeMisdirection() ?? takeHTTP1Requirement() { return reason }
        guard !isRepetition, connectionWasReused, start == nil, parser.byteCount == 0, http2?.hasBegun != true,
            failure == nil, !isAnswered
        else { return nil }
        // The server did not process the request, and libcurl did not repeat it: that is the outcome.
        guard refusal == nil else { return nil }
        guard wasRetried || wasLost(result) else { return nil }
        let wasSent = hasSent || wasRetried
        guard wasSent else { return "the kept connection was closed before a byte of the request left" }
        guard plan.isIdempotent else {
            failure = lost(
                "the kept connection was closed before a response arrived, and \(plan.method) is not safe to repeat")
            return nil
        }
        guard upload?.rewind(to: 0, replay: plan.request.body.replay) ?? true else {
            failure = lost(
                "the kept connection was lost, and the request's body cannot be sent a second time",
                .bodyNotReplayable
            )
            return nil
        }
        return "the kept connection was closed before a response arrived, and \(plan.method) is safe to repeat"
    }

    private func wasLost(_ result: CURLcode) -> Bool {
        guard stage == .send || stage == .respond, result != CURLE_OK, case .failure(let error) = outcome(of: result)
        else { return false }
        return error.code == .connectionLost
    }

    private func lost(_ message: String, _ code: TransportError.Code = .connectionLost) -> TransportError {
        TransportError(
            code,
            phase: stage == .send && upload != nil ? .requestBody : .responseHead,
            processing: .unknown,
            message: message,
            origin: plan.origin
        )
    }

    /// Resets the transfer, except for its limits and the record of the first attempt.
    fileprivate func startOver(with handle: EasyHandle) throws(TransportError) {
        isRepetition = true
        // A server that has declined the request has not processed it.
        let isDeclined = misdirection != .none || isHTTP1Required
        wasSentBefore = wasSentBefore || !isDeclined && (hasSent || wasRetried)
        wasRetried = false
        question?.cancel()
        question = nil
        link = nil
        attempts = []
        handshake = nil
        http2?.session.forget(self)
        http2 = nil
        heldChallenge = nil
        authenticationRounds = 0
        securityMessage = nil
        tunnel = Tunnel()
        chunks = nil
        connectionWasReused = false
        attemptCount = 0
        sizeBeforeRequest = 0
        uploadedCount = 0
        parser = parser.restarted()
        replaceHandle(handle)
        try configure()
        if isHTTP1Required { easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
        // Another kept connection may be dead as well.
        easy.set(CURLOPT_FRESH_CONNECT, true)
        easy.purpose = .particular
        enter(.pool)
    }
}
