internal import AirframeTransport

/// Repetition: a request whose stream failed before the server can have processed it is sent again.
extension Exchange {
    /// The most often that a request is sent: servers that refuse streams one after another must not keep it going for
    /// ever.
    private static let maximumAttempts = 4

    /// Sends the request again, if it may be.
    ///
    /// - Throws: `error`, when it may not: the server may have acted on it (RFC 9110 §9.2.2).
    nonisolated(nonsending) func sendAgain(
        after error: TransportError,
        on stream: any MessageStream
    ) async throws(TransportError) -> TransportResponse {
        var (error, stream) = (error, stream)
        var attempt = 1
        var mayBeProcessed = false
        while true {
            attempt += 1
            guard attempt <= Self.maximumAttempts else { throw error }
            let repetition = try repetition(after: error, on: stream)
            reporter.report(TransportDecision(.retried(attempt: attempt), reason: repetition.reason))
            if case .overHTTP1 = repetition.permission, !requireHTTP1() { throw error }
            if case .ifIdempotent = repetition.permission { mayBeProcessed = true }
            let information: TransportConnection
            do throws(TransportError) {
                try await finish(try beginAgain())
                (stream, information) = try leased()
            } catch {
                // What the server did with an earlier attempt is not undone by one that did not reach it.
                throw mayBeProcessed ? error.withUnknownProcessing() : error
            }
            do throws(TransportError) {
                return makeResponse(try await receiveHead(stream), information)
            } catch let failure {
                error = mayBeProcessed ? failure.withUnknownProcessing() : failure
            }
        }
    }

    private nonisolated(nonsending) func receiveHead(
        _ stream: any MessageStream
    ) async throws(TransportError) -> MessageHead {
        try await finishFlushing(stream, try start(stream))
        while true {
            if !stream.hasInput { try check(await waitForInput(stream)) }
            guard let head = try receive(stream) else { continue }
            await settle()
            return head
        }
    }

    /// Lets go of the stream that failed and asks for another. In the place of an HTTP/1.1 connection that turned out
    /// to be dead a new one is opened: other kept connections may be dead as well.
    private func beginAgain() throws(TransportError) -> Opening {
        if case .sending = upload { abandonUpload() }
        guard let lease, !lease.connection.isMultiplexed else {
            cancelStream()
            return try begin()
        }
        // On failure, the lease ends with the exchange.
        try prepare()
        self.lease = nil
        lease.stream.cancel()
        _ = engine.pool.replace(lease.connection)
        return .permit(lease.connection.entry)
    }

    /// Why the request may be sent again.
    private func repetition(
        after error: TransportError,
        on stream: any MessageStream
    ) throws(TransportError) -> Repetition {
        if let repetition = repetitionElsewhere() { return repetition }
        guard let repetition = stream.repetition(after: error) else { throw error }
        switch repetition.permission {
        case .always, .overHTTP1:
            guard case .sending = upload, !plan.content.isReplayable else { return repetition }
            // The caller may send it again with content of its own.
            if error.processing == .notProcessed { throw error }
        case .ifIdempotent:
            guard plan.isIdempotent else {
                throw self.error(
                    error.code,
                    "\(repetition.reason), and \(plan.method) is not safe to repeat",
                    library: error.libraryMessage
                )
            }
            guard !plan.content.isReplayable else {
                return Repetition(
                    permission: .ifIdempotent,
                    reason: "\(repetition.reason), and \(plan.method) is safe to repeat"
                )
            }
        }
        throw self.error(
            .bodyNotReplayable,
            "the kept connection was lost, and the request's body cannot be sent a second time"
        )
    }
}
