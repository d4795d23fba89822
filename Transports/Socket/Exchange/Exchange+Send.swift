internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes

/// The way of a request to its response's head.
extension Exchange {
    /// Sends the request; returns once the final response's head has come.
    ///
    /// On a kept connection this waits once, for the response. Everything else runs without being asynchronous: each
    /// call of an asynchronous function costs a look at the executor when it starts and when it returns.
    nonisolated(nonsending) func send() async throws(TransportError) -> TransportResponse {
        emit(.started(plan.head.request))
        do throws(TransportError) {
            let opening = try begin()
            if case .ready = opening {} else { try await finish(opening) }
            let (stream, information) = try leased()
            do throws(TransportError) {
                let beginning = try start(stream)
                if try !flush(stream, beginning) { try await finishFlushing(stream, beginning) }
                while true {
                    if !stream.hasInput { try check(await waitForInput(stream)) }
                    guard let head = try receive(stream) else { continue }
                    await settle()
                    return makeResponse(head, information)
                }
            } catch {
                return try await sendAgain(after: error, on: stream)
            }
        } catch {
            fail(error)
            throw error
        }
    }

    /// The stream of the lease, and what the response says of its connection: the lease ends with the response.
    func leased() throws(TransportError) -> (any MessageStream, TransportConnection) {
        guard let stream = lease?.stream, let information = lease?.information else { throw lost(ECONNRESET) }
        return (stream, information)
    }

    // MARK: The head

    /// Has the stream encode the head, and small content with it.
    func start(_ stream: any MessageStream) throws(TransportError) -> StreamBeginning {
        let beginning: StreamBeginning
        do throws(StreamFailure) {
            beginning = try stream.begin(plan.head, content: plan.content.inMemory)
        } catch {
            // Nothing was sent: the connection is as good as before.
            if let lease = lease.take() { engine.pool.giveBack(lease.connection) }
            throw self.error(of: error)
        }
        if outlet != nil { noteConnection() }
        if let updates = plan.priorityUpdates { follow(updates, stream) }
        if beginning.includesContent { upload = .none }
        enter(.send)
        return beginning
    }

    private func follow(_ updates: PriorityUpdates, _ stream: any MessageStream) {
        updates.observe(after: plan.priority) { [weak updates, weak stream] in
            if let updates { stream?.updatePriority(updates) }
        }
    }

    private func noteConnection() {
        guard let lease else { return }
        if lease.isReused {
            let connection = lease.connection
            let reason =
                if !connection.isMultiplexed {
                    "it was idle"
                } else if connection.origin == plan.origin {
                    "it has room for another stream"
                } else {
                    "it leads to the same address, and its certificate names \(plan.origin.host) (RFC 9113 §9.1.1)"
                }
            emit(.decided(TransportDecision(.reusedConnection(id: lease.information.id), reason: reason)))
        }
        emit(.connectionAcquired(lease.information))
    }

    /// Sends as much as there is room for. Returns whether that was all.
    func flush(_ stream: any MessageStream, _ beginning: StreamBeginning) throws(TransportError) -> Bool {
        do throws(StreamFailure) {
            switch try stream.flush() {
            case .done: break
            case .progress:
                noteProgress()
                return false
            case .blocked: return false
            }
        } catch {
            throw self.error(of: error)
        }
        noteHeadSent(beginning)
        startUpload(stream, beginning)
        return true
    }

    /// Sends the rest.
    nonisolated(nonsending) func finishFlushing(
        _ stream: any MessageStream,
        _ beginning: StreamBeginning
    ) async throws(TransportError) {
        while try !flush(stream, beginning) {
            let due = limits.due(in: .send, since: since)
            let end = await stream.wait(for: .writing, until: due, nil, isAlone: false)
            if let error = interruption(end) { throw error }
        }
    }

    private func noteHeadSent(_ beginning: StreamBeginning) {
        guard let outlet else { return }
        outlet.emit(.requestHeadSent(byteCount: beginning.headByteCount))
        if beginning.includesContent, let content = plan.content.inMemory, !content.isEmpty {
            outlet.emit(.requestBodySent(byteCount: Int64(content.count), total: Int64(content.count)))
        }
    }

    /// Has the content follow, where it has not gone out with the head.
    private func startUpload(_ stream: any MessageStream, _ beginning: StreamBeginning) {
        guard case .opened(let content) = upload else {
            emit(.requestFinished)
            enter(.respond)
            return
        }
        let expectation = beginning.expectsContinue ? makeExpectation() : nil
        let uploader = Uploader(UploadSender(content, stream, self), expectation: expectation)
        upload = .sending(uploader)
        uploader.start()
    }

    private func makeExpectation() -> Expectation {
        // A request that asks by its own field, and no option: a second is what curl waits.
        guard case .always(let wait) = plan.options.expectContinue else {
            return Expectation(.seconds(1), engine.reactor)
        }
        return Expectation(wait, engine.reactor)
    }
}
