internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

extension Exchange {
    /// Sends the request's head and body.
    func send(
        _ body: RequestBodyReader,
        for matched: MatchedRoute,
        on connection: TransportConnection
    ) async throws(TransportError) {
        let plan = matched.script.plan
        try await enter(.requestHead, matched.script, writeIdle)
        progress.withLock { $0.isSent = true }
        emit(.requestHeadSent(byteCount: request.head.wireByteCount))
        if connection.isReused, plan.isClosedWhenReused {
            progress.withLock { $0.phase = .responseHead }
            throw error(.connectionLost, "the server had closed the kept connection \(connection.id)")
        }
        guard request.body.isNone || !plan.answersBeforeBody else { return }
        if !request.body.isNone { try await sendContent(body, for: matched) }
        try await sendTrailers(matched.index)
        mock.state.withLock { $0.update(matched.index) { $0.isComplete = true } }
        emit(.requestFinished)
        progress.withLock { $0.isRequestFinished = true }
    }

    private var writeIdle: Limit? { limit(\.writeIdle, "the limit on idle writing") }

    private func sendContent(_ body: RequestBodyReader, for matched: MatchedRoute) async throws(TransportError) {
        let plan = matched.script.plan
        try await awaitContinue(plan)
        try await enter(.requestBody, matched.script, writeIdle)
        let fault = plan.fault.flatMap { $0.phase == .requestBody ? $0 : nil }
        var sent: Int64 = 0
        while let chunk = try await next(of: body) {
            var rest = chunk
            while !rest.isEmpty {
                try checkpoint()
                if let gate = request.uploadGate, !gate.isOpen {
                    _ = try await run { await gate.pass() }
                    try checkpoint()
                }
                if let fault, sent >= fault.byteCount { try await meet(fault) }
                let limit = fault.map { max(1, $0.byteCount - sent) } ?? Int64.max
                let piece = rest.prefix(min(pieceSize(plan), Int(clamping: limit)))
                rest = rest.dropFirst(piece.count)
                let duration = plan.upload.duration(of: piece.count)
                if duration > .zero { try await pause(for: duration, writeIdle) }
                sent += Int64(piece.count)
                try check(sent, isEnd: false)
                record(piece, total: sent, matched.index)
                emit(.requestBodySent(byteCount: Int64(piece.count), total: sent))
            }
        }
        body.sourceEnded()
        if let fault { try await meet(fault) }
        try check(sent, isEnd: true)
    }

    private func pieceSize(_ plan: ReplyPlan) -> Int {
        min(plan.upload.chunkSize, max(1, mock.configuration.requestChunkSize))
    }

    /// Waits for `100 (Continue)` before the body, if the request asks for it (RFC 9110 §10.1.1).
    private func awaitContinue(_ plan: ReplyPlan) async throws(TransportError) {
        guard case .always(let wait) = request.options.expectContinue else { return }
        progress.withLock { $0.phase = .requestBody }
        guard plan.sendsContinue else { return try await pause(for: wait, nil) }
        if features.contains(.informationalResponses) {
            emit(.informationalResponse(HTTPResponse(status: .continue)))
        }
    }

    private func meet(_ fault: Fault) async throws(TransportError) {
        switch fault.kind {
        case .stall: try await pause(until: nil, writeIdle)
        case .reset, .close:
            throw error(.connectionLost, "the connection broke after \(fault.byteCount) bytes of the request's body")
        case .failure, .certificates, .clientIdentity: break
        }
    }

    private func check(_ sent: Int64, isEnd: Bool) throws(TransportError) {
        guard let length = request.body.length else { return }
        if sent > length {
            throw error(.bodyLengthMismatch, "the request's body is longer than the \(length) bytes that it announced")
        }
        if isEnd, sent < length {
            let message = "the request's body ended after \(sent) of the \(length) bytes that it announced"
            throw error(.bodyLengthMismatch, message)
        }
    }

    private func record(_ piece: Data, total: Int64, _ index: Int) {
        let limit = mock.configuration.recordedBodyLimit
        mock.state.withLock { state in
            state.update(index) { record in
                record.bodyByteCount = total
                record.body.append(piece.prefix(max(0, limit - record.body.count)))
            }
        }
    }

    private func sendTrailers(_ index: Int) async throws(TransportError) {
        guard let makeTrailers = request.body.trailers else { return }
        switch try await run(nil, makeTrailers) {
        case .success(let trailers):
            if let fault = trailers.trailerFault { throw error(.invalidRequest, fault) }
            mock.state.withLock { $0.update(index) { $0.trailers = trailers } }
        case .failure(let reason):
            throw error(.bodyFailed, "the trailers of the request could not be made: \(reason)", underlying: reason)
        }
    }
}

extension HTTPRequest {
    /// The size of the head on an HTTP/1.1 connection (RFC 9112 §3).
    var wireByteCount: Int {
        let line =
            method.rawValue.utf8.count + (path ?? "/").utf8.count + " ".utf8.count * 2 + "HTTP/1.1\r\n".utf8.count
        let host = "Host: ".utf8.count + (authority ?? "").utf8.count + "\r\n".utf8.count
        return line + host + headerFields.wireByteCount
    }
}

extension HTTPResponse {
    /// The size of the head on an HTTP/1.1 connection (RFC 9112 §4).
    var wireByteCount: Int {
        "HTTP/1.1 200 ".utf8.count + status.reasonPhrase.utf8.count + "\r\n".utf8.count + headerFields.wireByteCount
    }
}

extension HTTPFields {
    /// The size of the fields and the empty line behind them.
    fileprivate var wireByteCount: Int {
        reduce("\r\n".utf8.count) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + ": \r\n".utf8.count }
    }
}
