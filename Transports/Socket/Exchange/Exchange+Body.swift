internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// What comes after the head: the response as its caller gets it, and its content.
extension Exchange: ResponseBodySource {
    func makeResponse() -> TransportResponse {
        var response = TransportResponse(
            head: head ?? HTTPResponse(status: .internalServerError),
            body: makeBody(),
            connection: information,
            request: plan.request
        )
        if framing == .tunnel { response.stream = makeStream() }
        return response
    }

    private func makeBody() -> ResponseBody {
        guard framing != .tunnel else { return ResponseBody() }
        guard isComplete else {
            openGate()
            return ResponseBody(self, expectedLength: expectedLength)
        }
        switch framing {
        case .none: return ResponseBody()
        case .length: return ResponseBody(pending ?? Data())
        case .chunked, .untilClose, .tunnel: return ResponseBody(self, expectedLength: nil)
        }
    }

    private var expectedLength: Int64? {
        switch framing {
        case .none: 0
        case .length(let length): length
        case .chunked, .untilClose, .tunnel: nil
        }
    }

    /// From here on the exchange can be given up from outside.
    private func openGate() {
        gate.withLock { $0.socket = connection?.socket }
        guard limits.end != .max else { return }
        let alarm = engine.reactor.makeAlarm { [weak self] in self?.expire() }
        deadlineAlarm = alarm
        alarm.set(limits.end)
    }

    // MARK: Reading

    /// The next bytes.
    func next() async throws(TransportError) -> Data? {
        if isComplete { return takePending() }
        try gate.withLock { gate throws(TransportError) in try gate.enter() }
        let chunk: Data?
        do throws(TransportError) {
            chunk = try await nextChunk()
        } catch {
            gate.withLock { $0.close(error) }
            fail(error)
            throw error
        }
        if isComplete {
            gate.withLock { $0.close(nil) }
        } else if let interruption = gate.withLock({ $0.leave() }) {
            fail(interruption)
            throw interruption
        }
        return chunk
    }

    private nonisolated(nonsending) func nextChunk() async throws(TransportError) -> Data? {
        if let chunk = takePending() { return chunk }
        guard let connection else { return nil }
        since = limits.start
        if Task.isCancelled, let error = interruption(.cancelled) { throw error }
        while pending == nil, !isComplete {
            if failure == nil, !connection.mayHaveMore { try check(await waitForInput(connection)) }
            try receive(connection)
            if end != nil { await settle(connection) }
        }
        return takePending()
    }

    func takePending() -> Data? {
        guard let chunk = pending else { return nil }
        pending = nil
        return chunk
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
        let (mustEnd, socket) = gate.withLock { $0.interrupt(error) }
        if mustEnd { fail(error) }
        socket?.rouse()
    }
}
