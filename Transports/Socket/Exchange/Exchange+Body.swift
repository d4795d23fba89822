internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// The response as its caller gets it, and its content.
extension Exchange: ResponseBodySource {
    func makeResponse(_ head: MessageHead, _ information: TransportConnection) -> TransportResponse {
        var response = head.content == .tunnel ? makeUpgrade(head, information) : makeMessage(head, information)
        response.timelines = reporter.timelines
        response.exchange = reporter.exchange
        return response
    }

    private func makeMessage(_ head: MessageHead, _ information: TransportConnection) -> TransportResponse {
        TransportResponse(
            head: head.response,
            body: makeBody(head.content),
            connection: head.version == information.httpVersion ? information : information.spoken(head.version),
            request: plan.head.shared
        )
    }

    /// Returns the response that brings a stream of bytes. The exchange is over when that is closed or dropped.
    private func makeUpgrade(_ head: MessageHead, _ information: TransportConnection) -> TransportResponse {
        var response = TransportResponse(
            head: head.response,
            body: ResponseBody(),
            connection: information,
            request: plan.head.shared
        )
        response.stream = lease?.stream.makeDuplexStream { [self] closeReason in
            guard let lease = self.lease.take() else { return }
            reporter.release(giveBack(lease, closeReason), at: nil)
            engine.endExchange()
        }
        return response
    }

    private func makeBody(_ content: MessageContent) -> ResponseBody {
        if case .complete(let trailers) = response {
            switch content {
            case .none: return ResponseBody()
            case .length where trailers == nil: return ResponseBody(pending.take() ?? Data())
            case .length, .unknown, .tunnel: return ResponseBody(self, expectedLength: nil)
            }
        }
        openGate()
        return ResponseBody(self, expectedLength: content.length)
    }

    /// From here on the exchange can be given up from outside.
    private func openGate() {
        gate.withLock { $0.stream = lease?.stream }
        guard limits.end != .max else { return }
        let alarm = engine.reactor.makeAlarm { [weak self] in self?.expire() }
        deadlineAlarm = alarm
        alarm.set(limits.end)
    }

    // MARK: Reading

    /// The next bytes.
    func next() async throws(TransportError) -> Data? {
        if case .complete = response { return pending.take() }
        try gate.withLock { gate throws(TransportError) in try gate.enter() }
        let chunk: Data?
        do throws(TransportError) {
            chunk = try await nextChunk()
        } catch {
            gate.withLock { $0.close(error) }
            fail(error)
            throw error
        }
        if case .complete = response {
            gate.withLock { $0.close(nil) }
        } else if let interruption = gate.withLock({ $0.leave() }) {
            fail(interruption)
            throw interruption
        }
        return chunk
    }

    private nonisolated(nonsending) func nextChunk() async throws(TransportError) -> Data? {
        if let chunk = pending.take() { return chunk }
        guard let stream = lease?.stream else { return nil }
        noteProgress()
        if Task.isCancelled, let error = interruption(.cancelled) { throw error }
        while case .content = response, pending == nil {
            if !stream.hasInput { try check(await waitForInput(stream)) }
            try receive(stream)
            await settle()
        }
        return pending.take()
    }

    /// The trailer fields, once the response is whole.
    var trailers: HTTPFields? {
        if case .complete(let trailers) = response { trailers } else { nil }
    }

    // MARK: Giving up

    func cancel() {
        interrupt(.cancelled(in: .responseBody, processing: .unknown, origin: plan.origin))
    }

    private func expire() {
        interrupt(
            TransportError(
                .timedOut,
                phase: .responseBody,
                processing: .unknown,
                message: limits.text(in: .body),
                origin: plan.origin
            )
        )
    }

    private func interrupt(_ error: TransportError) {
        let (mustEnd, stream) = gate.withLock { $0.interrupt(error) }
        if mustEnd { fail(error) }
        stream?.rouse()
    }
}

extension MessageContent {
    /// The length that the head announced.
    fileprivate var length: Int64? {
        switch self {
        case .none: 0
        case .length(let length): length
        case .unknown, .tunnel: nil
        }
    }
}

extension TransportConnection {
    /// This connection, on which another version was spoken than the one that was offered.
    fileprivate func spoken(_ version: HTTPVersion) -> TransportConnection {
        TransportConnection(
            id: id,
            httpVersion: version,
            localAddress: localAddress,
            remoteAddress: remoteAddress,
            isProxied: isProxied,
            tls: tls,
            isReused: isReused
        )
    }
}
