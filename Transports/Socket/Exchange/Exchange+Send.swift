internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes

/// Sends the request and returns its response head.
extension Exchange {
    /// Sends the request and returns once the final response head has arrived.
    ///
    /// On a kept connection this function suspends once, for the response. The rest is synchronous: Swift's runtime
    /// checks the executor at the start and at the return of each asynchronous call.
    nonisolated(nonsending) func send() async throws(TransportError) -> TransportResponse {
        reporter.start(plan.head.shared)
        do throws(TransportError) {
            let opening = try begin()
            if case .ready = opening {} else { try await finish(opening) }
            let (stream, connection) = try leased()
            var information = connection
            do throws(TransportError) {
                let beginning = try start(stream, &information)
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

    /// Returns the lease's stream and the connection's description. The description outlives the lease, which may end
    /// with the response.
    func leased() throws(TransportError) -> (any MessageStream, TransportConnection) {
        guard let stream = lease?.stream, let information = lease?.information else { throw lost(ECONNRESET) }
        return (stream, information)
    }

    // MARK: The head

    /// Encodes the head, and small content with it, into the stream.
    ///
    /// - Parameter information: The connection's description, which gets the identifier of the stream.
    func start(
        _ stream: any MessageStream,
        _ information: inout TransportConnection
    ) throws(TransportError) -> StreamBeginning {
        let beginning: StreamBeginning
        do throws(StreamFailure) {
            beginning = try stream.begin(plan.head, checked: checkedHead.take(), content: plan.content.inMemory)
        } catch {
            // Nothing was sent, so the connection can be reused.
            if let lease = lease.take() { engine.pool.giveBack(lease.connection) }
            throw self.error(of: error)
        }
        if let id = stream.streamID { information.streamID = id }
        reporter.acquire(information, reuse: information.isReused ? reuseReason : nil)
        if let updates = plan.priorityUpdates { follow(updates, stream) }
        if beginning.includesContent { upload = .none }
        enter(.send)
        return beginning
    }

    /// Why a kept connection was reused.
    private var reuseReason: String {
        guard let connection = lease?.connection, connection.isMultiplexed else { return "it was idle" }
        guard connection.origin == plan.origin else {
            return "it has the same address, and its certificate names \(plan.origin.host) (RFC 9113 §9.1.1)"
        }
        return "it has room for another stream"
    }

    private func follow(_ updates: PriorityUpdates, _ stream: any MessageStream) {
        updates.observe(after: plan.priority) { [weak updates, weak stream] in
            if let updates { stream?.updatePriority(updates) }
        }
    }

    /// Sends as many bytes as the connection accepts. Returns whether all have been sent.
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
        startUpload(stream, beginning)
        return true
    }

    /// Sends the remaining bytes, waiting for room.
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

    /// Starts the upload of content that was not sent with the head.
    private func startUpload(_ stream: any MessageStream, _ beginning: StreamBeginning) {
        let content: UploadContent? = if case .opened(let content) = upload { content } else { nil }
        reporter.send(
            headBytes: beginning.headByteCount,
            bodyBytes: beginning.includesContent ? plan.content.inMemory?.count ?? 0 : 0,
            isWhole: content == nil
        )
        guard let content else { return enter(.respond) }
        let expectation = beginning.expectsContinue ? makeExpectation() : nil
        let uploader = Uploader(UploadSender(content, stream, self), expectation: expectation)
        upload = .sending(uploader)
        uploader.start()
    }

    private func makeExpectation() -> Expectation {
        // The request has an `Expect` field but no option that sets the time: curl waits a second.
        guard case .always(let wait) = plan.options.expectContinue else {
            return Expectation(.seconds(1), engine.reactor)
        }
        return Expectation(wait, engine.reactor)
    }
}
