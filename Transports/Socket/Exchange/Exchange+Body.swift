internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// The response and its body, as the caller receives them.
extension Exchange: ResponseBodySource {
    func makeResponse(_ head: consuming MessageHead, _ information: TransportConnection) -> TransportResponse {
        let isTunnel = head.content == .tunnel
        let hasOtherVersion = !isTunnel && head.version != information.httpVersion
        return TransportResponse(
            head: head.shared,
            body: isTunnel ? ResponseBody() : makeBody(head.content),
            connection: hasOtherVersion ? information.spoken(head.version) : information,
            request: plan.head.shared,
            stream: isTunnel ? makeDuplexStream() : nil,
            timelines: reporter.timelines,
            exchange: reporter.exchange
        )
    }

    /// Returns the byte stream of an upgrade. The exchange ends when the stream is closed or released.
    private func makeDuplexStream() -> (any DuplexStream)? {
        lease?.stream.makeDuplexStream(spin: { [engine] in engine.spinBudget }) { [self] closeReason in
            guard let lease = self.lease.take() else { return }
            reporter.release(giveBack(lease, closeReason), at: nil)
            engine.endExchange()
        }
    }

    /// Returns the response's body. A complete response has ended its exchange, which the body must not end again: such
    /// a body only holds the content.
    private func makeBody(_ content: MessageContent) -> ResponseBody {
        if case .complete(let trailers) = response {
            let data = pending.take() ?? Data()
            switch content {
            case .none, .length: return ResponseBody(data, trailers: trailers)
            case .unknown, .tunnel: return ResponseBody(unannounced: data, trailers: trailers)
            }
        }
        openGate()
        return ResponseBody(self, expectedLength: content.length)
    }

    /// Allows other tasks to cancel the exchange from now on, and arms its deadline.
    private func openGate() {
        gate.withLock { $0.stream = lease?.stream }
        guard limits.end != .max else { return }
        let alarm = engine.reactor.makeAlarm { [weak self] in self?.expire() }
        deadlineAlarm = alarm
        alarm.set(limits.end)
    }

    // MARK: Reading

    /// Returns the next bytes of the body; `nil` at its end.
    func next() async throws(TransportError) -> Data? {
        guard try gate.withLock({ gate throws(TransportError) in try gate.enter() }) else { return pending.take() }
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

    /// The trailer fields, after the response is complete.
    var trailers: HTTPFields? {
        if case .complete(let trailers) = response { trailers } else { nil }
    }

    // MARK: Cancellation

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
    /// The length that the head declared.
    fileprivate var length: Int64? {
        switch self {
        case .none: 0
        case .length(let length): length
        case .unknown, .tunnel: nil
        }
    }
}

extension TransportConnection {
    /// Returns this connection with the HTTP version of the response, which differs from the negotiated one.
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
