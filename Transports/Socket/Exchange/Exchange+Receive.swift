internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// Receives the response head and content.
extension Exchange {
    // MARK: Waiting

    /// Waits until the stream may have input.
    ///
    /// Spins first, which needs no asynchronous call of the stream: two of those take 500 instructions.
    @inline(__always)
    nonisolated(nonsending) func waitForInput(_ stream: any MessageStream) async -> Socket.WaitEnd {
        var budget = engine.spinBudget
        if let own = budget {
            switch stream.spin(own, isAlone: uploader == nil) {
            // A task that was cancelled in these 2 ms has input.
            case .ready: return spinEnd
            case .readyAfterYield:
                await Task.yield()
                return Task.isCancelled ? .cancelled : spinEnd
            case .missed: budget = nil
            case .unsupported: break
            }
        }
        return await stream.wait(for: .reading, until: inputDue, budget, isAlone: uploader == nil)
    }

    /// The result of a spin that has found input. If a server sends a byte within each spin, no wait is suspended, and
    /// only this comparison enforces the limits: the byte may belong to a TLS message without content.
    private var spinEnd: Socket.WaitEnd {
        let due = inputDue
        return due != .max && Monotonic.now >= due ? .timeUp : .ready
    }

    /// Examines why a wait for input ended.
    ///
    /// - Throws: The error that must end the exchange.
    func check(_ end: Socket.WaitEnd) throws(TransportError) {
        if let uploader { try adopt(uploader) }
        if stage == .body, let interruption = gate.withLock({ $0.interruption }) { throw interruption }
        // If progress moved the limit during the wait, the caller waits again.
        if case .timeUp = end, Monotonic.now < inputDue { return }
        if let error = interruption(end) { throw error }
    }

    /// The instant at which the wait for input times out.
    private var inputDue: Int64 {
        guard limits.isAny else { return .max }
        // While the request is being sent, the uploader enforces the limit on writing.
        if stage == .send || uploader?.isUnderway == true { return limits.end }
        return limits.due(in: stage, since: since)
    }

    /// Updates the stage from the uploader's progress.
    private func adopt(_ uploader: Uploader) throws(TransportError) {
        switch uploader.progress {
        case .underway, .lost: break
        case .finished(let instant):
            // Otherwise the final head has arrived. The limit on idle reading starts with the end of the request.
            guard stage == .send else { return since = max(since, instant) }
            if case .begun = response {
                enter(.head)
            } else {
                stage = .respond
                since = instant
            }
        case .failed(let error): throw error
        }
    }

    // MARK: Events of the stream

    /// Processes the heads, content and end that the stream has received. Reads from the socket at most once.
    ///
    /// - Returns: The final response head, if it has arrived.
    @discardableResult
    func receive(_ stream: any MessageStream) throws(TransportError) -> MessageHead? {
        var head: MessageHead?
        var demand = Demand.more
        // All events of one read share its instant.
        var arrival: MonotonicInstant?
        do throws(StreamFailure) {
            while true {
                // Not stored in a variable: its payload is moved, not copied.
                switch try stream.next(demand) {
                case .blocked:
                    return head
                case .progress:
                    notePart()
                    return head
                case .informational(let head):
                    noteInformational(head)
                    demand = .arrived
                case .head(let received):
                    noteInput()
                    if let error = refusal(received, at: instant(&arrival)) { throw .failed(error) }
                    guard received.content != .tunnel else { return received }
                    head = received
                    demand = .arrived
                case .content(let content):
                    noteInput()
                    keep(content, at: instant(&arrival))
                    demand = .end
                case .end(let trailers):
                    finish(trailers: trailers, at: instant(&arrival))
                    return head
                }
            }
        } catch {
            throw self.error(ofInput: error)
        }
    }

    /// Returns the instant of a read, which is that of its first event.
    private func instant(_ arrival: inout MonotonicInstant?) -> MonotonicInstant {
        if let arrival { return arrival }
        let now = reporter.now
        arrival = now
        return now
    }

    private func noteInput() {
        if stage == .respond || stage == .send { stage = .head }
        noteProgress()
    }

    /// Notes part of a head or of the content. While the request is being sent, the server need not continue a head.
    /// The limit on idle reading starts with the end of the request.
    private func notePart() {
        switch stage {
        case .send: response = .begun
        case .respond: stage = .head
        default: break
        }
        noteProgress()
    }

    private func keep(_ content: Data, at instant: MonotonicInstant) {
        guard case .content(let count) = response else { return }
        let total = count + Int64(content.count)
        reporter.receive(content.count, total: total, at: instant)
        response = .content(count: total)
        pending = content
    }

    /// Handles an informational response. The wait for the final one begins anew.
    private func noteInformational(_ head: HTTPResponse) {
        switch stage {
        case .send: response = .awaited
        case .head: stage = .respond
        default: break
        }
        noteProgress()
        emit(.informationalResponse(head))
        if head.status.code == 100 { uploader?.proceed() }
    }

    /// Accepts the final response head; returns the error if it must be rejected.
    private func refusal(_ head: MessageHead, at instant: MonotonicInstant) -> TransportError? {
        do throws(TransportError) {
            try accept(head, at: instant)
            return nil
        } catch {
            return error
        }
    }

    private func accept(_ head: MessageHead, at instant: MonotonicInstant) throws(TransportError) {
        if let uploader { try adopt(uploader) }
        if let error = misdirectionError(head) { throw error }
        uploader?.noteFinalResponse()
        if plan.isForwarded, head.statusCode == 407 {
            throw TransportError(
                .proxyFailed,
                phase: .proxy,
                processing: .notProcessed,
                message: ProxyTalk.refusal(head.response),
                origin: plan.origin
            )
        }
        // Over HTTP/2, a 2xx response to (extended) CONNECT accepts the requested protocol (RFC 8441 §5).
        if head.content == .tunnel, head.version != .http2 { try checkUpgrade(head.response) }
        reporter.receive(head, at: instant)
        enter(.body)
        response = .content(count: 0)
    }

    private func checkUpgrade(_ head: HTTPResponse) throws(TransportError) {
        guard let upgrade = plan.head.upgrade else {
            throw error(.malformedResponse, "the server switched protocols (101), but the request has no `upgrade`")
        }
        guard upgrade.isAccepted(by: head) else {
            let chosen = head.headerFields[.upgrade] ?? "an unnamed protocol"
            throw error(.malformedResponse, "the server switched to a protocol that was not requested: \(chosen)")
        }
    }

    // MARK: Errors

    /// Returns the error of a stream that failed while it was read. If the connection broke while the request was being
    /// sent and no response arrived, the upload has the more precise error. A complete error stays, except for its
    /// phase: that of an HTTP/2 stream says whether the server processed the request.
    private func error(ofInput failure: StreamFailure) -> TransportError {
        let error = error(of: failure)
        guard error.code == .connectionLost else { return error }
        if case .failed = failure {
            return error.processing == .unknown && isSendingUnanswered ? error.moved(to: .requestBody) : error
        }
        guard case .lost(let code)? = uploader?.progress else { return error }
        return self.error(
            .connectionLost,
            "the connection was lost while the request was being sent",
            library: SystemError.text(code)
        )
    }

    /// Whether the request is being sent, and no part of the final head has arrived.
    private var isSendingUnanswered: Bool {
        guard stage == .send, case .awaited = response else { return false }
        return uploader?.isFinished != true
    }
}
