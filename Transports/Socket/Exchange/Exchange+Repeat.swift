internal import AirframeTransport

/// Retries: a request is sent again if its stream failed before the server can have processed it.
extension Exchange {
    /// The maximum number of times that a request is sent. A server that refuses every stream must not cause endless
    /// retries.
    private static let maximumAttempts = 4

    /// Sends the request again if that is safe.
    ///
    /// - Throws: `error` if it is not: the server may have processed the request (RFC 9110 §9.2.2).
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
            var information: TransportConnection
            do throws(TransportError) {
                try await finish(try beginAgain())
                (stream, information) = try leased()
            } catch {
                // The server may have processed an earlier attempt, even if this one did not reach it.
                throw mayBeProcessed ? error.withUnknownProcessing() : error
            }
            do throws(TransportError) {
                let head = try await receiveHead(stream, &information)
                return makeResponse(head, information)
            } catch let failure {
                error = mayBeProcessed ? failure.withUnknownProcessing() : failure
            }
        }
    }

    private nonisolated(nonsending) func receiveHead(
        _ stream: any MessageStream,
        _ information: inout TransportConnection
    ) async throws(TransportError) -> MessageHead {
        try await finishFlushing(stream, try start(stream, &information))
        while true {
            if !stream.hasInput { try check(await waitForInput(stream)) }
            guard let head = try receive(stream) else { continue }
            await settle()
            return head
        }
    }

    /// Releases the failed stream and acquires another. A dead HTTP/1.1 connection is replaced by a new one, since the
    /// other kept connections may be dead as well.
    private func beginAgain() throws(TransportError) -> Opening {
        if case .sending = upload { abandonUpload() }
        response = .awaited
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

    /// Returns why the request may be sent again.
    private func repetition(
        after error: TransportError,
        on stream: any MessageStream
    ) throws(TransportError) -> Repetition {
        if let repetition = repetitionElsewhere() { return repetition }
        guard let repetition = stream.repetition(after: error, isReused: lease?.isReused ?? false) else { throw error }
        switch repetition.permission {
        case .always, .overHTTP1:
            guard case .sending = upload, !plan.content.isReplayable else { return repetition }
            // The caller may send the request again with new content.
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
            "the kept connection was lost, and the request body cannot be sent a second time"
        )
    }
}
