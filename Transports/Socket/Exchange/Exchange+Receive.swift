internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// The way of a response's head, and the content that comes with it.
extension Exchange {
    // MARK: Waiting

    /// Waits until there may be something to read.
    @inline(__always)
    nonisolated(nonsending) func waitForInput(_ stream: any MessageStream) async -> Socket.WaitEnd {
        await stream.wait(for: .reading, until: inputDue, engine.spinBudget, isAlone: uploader == nil)
    }

    /// Looks at why a wait for input ended.
    ///
    /// - Throws: Why the exchange must end.
    func check(_ end: Socket.WaitEnd) throws(TransportError) {
        if let uploader { try adopt(uploader) }
        if stage == .body, let interruption = gate.withLock({ $0.interruption }) { throw interruption }
        // A limit that moved while this waited is waited for anew.
        if case .timeUp = end, Monotonic.now < inputDue { return }
        if let error = interruption(end) { throw error }
    }

    /// When the wait for input is over.
    private var inputDue: Int64 {
        guard limits.isAny else { return .max }
        // While the request is on its way the uploader watches its own limit.
        if stage == .send { return limits.end }
        return limits.due(in: stage, since: since)
    }

    /// Takes over how far an upload has come.
    private func adopt(_ uploader: Uploader) throws(TransportError) {
        switch uploader.outcome {
        case .underway, .lost: break
        case .finished(let instant):
            guard stage == .send else { return }
            stage = .respond
            since = instant
        case .failed(let error): throw error
        }
    }

    // MARK: Events of the stream

    /// Takes what the stream has received: heads, content, the end. Reads at most once.
    ///
    /// - Returns: The final head, when it has come.
    @discardableResult
    func receive(_ stream: any MessageStream) throws(TransportError) -> MessageHead? {
        var head: MessageHead?
        var demand = Demand.more
        var arrival: MonotonicInstant?
        do throws(StreamFailure) {
            while true {
                let event = try stream.next(demand)
                // All that one read brings arrives at once.
                let instant = arrival ?? reporter.now
                arrival = instant
                switch event {
                case .blocked:
                    return head
                case .progress:
                    noteInput()
                    return head
                case .informational(let head):
                    noteInput()
                    noteInformational(head)
                    demand = .arrived
                case .head(let received):
                    noteInput()
                    if let error = refusal(received, at: instant) { throw .failed(error) }
                    guard received.content != .tunnel else { return received }
                    head = received
                    demand = .arrived
                case .content(let content):
                    noteInput()
                    keep(content, at: instant)
                    demand = .end
                case .end(let trailers):
                    finish(trailers: trailers, at: instant)
                    return head
                }
            }
        } catch {
            throw self.error(ofInput: error)
        }
    }

    private func noteInput() {
        if stage == .respond || stage == .send { stage = .head }
        noteProgress()
    }

    private func keep(_ content: Data, at instant: MonotonicInstant) {
        guard case .content(let count) = response else { return }
        let total = count + Int64(content.count)
        reporter.receive(content.count, total: total, at: instant)
        response = .content(count: total)
        pending = content
    }

    private func noteInformational(_ head: HTTPResponse) {
        emit(.informationalResponse(head))
        if head.status.code == 100 { uploader?.proceed() }
    }

    /// Takes the final head; returns why it cannot be.
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
        if let error = misdirectionError(head.response) { throw error }
        uploader?.noteFinalResponse()
        if plan.isForwarded, head.response.status.code == 407 {
            throw TransportError(
                .proxyFailed,
                phase: .proxy,
                processing: .notProcessed,
                message: ProxyTalk.refusal(head.response),
                origin: plan.origin
            )
        }
        // Over HTTP/2, a 2xx response to (extended) CONNECT accepts what was asked for (RFC 8441 §5).
        if head.content == .tunnel, head.version != .http2 { try checkUpgrade(head.response) }
        reporter.receive(head, at: instant)
        enter(.body)
        response = .content(count: 0)
    }

    private func checkUpgrade(_ head: HTTPResponse) throws(TransportError) {
        guard let upgrade = plan.head.upgrade else {
            throw error(.malformedResponse, "the server switched protocols (101), but the request set no `upgrade`")
        }
        guard upgrade.isAccepted(by: head) else {
            let chosen = head.headerFields[.upgrade] ?? "an unnamed one"
            throw error(.malformedResponse, "the server switched to another protocol than asked for: \(chosen)")
        }
    }

    // MARK: Errors

    /// The error of a stream that cannot be read on. If the connection broke while the request was sent and nothing
    /// came back, the upload knows why.
    private func error(ofInput failure: StreamFailure) -> TransportError {
        let error = error(of: failure)
        guard error.code == .connectionLost, case .lost(let code)? = uploader?.outcome else { return error }
        return self.error(
            .connectionLost,
            "the connection was lost while the request was sent",
            library: SystemError.text(code)
        )
    }
}
